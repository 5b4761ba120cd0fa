/* What a process may do beyond its user's rights: nothing. */
#ifndef LAUNCHER_PRIVILEGES_H
#define LAUNCHER_PRIVILEGES_H

void give_up_privileges(void);
#endif
