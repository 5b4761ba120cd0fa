/* The leak check at a normal return. */
#ifndef VEER_LEAKS_H
#define VEER_LEAKS_H

void veer_check_leaks(void);
#endif
