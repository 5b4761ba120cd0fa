/* A view of the machine of a process's own: its mounts cannot be written to, its processes end with it. */
#ifndef LAUNCHER_NAMESPACES_H
#define LAUNCHER_NAMESPACES_H
#include "words.h"

int leave_mounts(const char *const *written, unsigned count); /* 0, or -1 where the kernel does not grant it */
int leave_processes(void);
void become_the_second(const struct orders *orders);
#endif
