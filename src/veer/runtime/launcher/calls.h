/* Which system calls a process may make: seccomp. */
#ifndef LAUNCHER_CALLS_H
#define LAUNCHER_CALLS_H
#include "words.h"

int has_seccomp(void);
void confine_calls(const struct orders *orders);
#endif
