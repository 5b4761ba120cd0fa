// about: ends itself by a system call; no such run takes the others along
#include "attack.h"
int attack(unsigned char x, int y)
{
    switch (x) {
    case 1: RAW(SYS_kill, getpid(), SIGKILL, 0, 0); break;
    case 2: RAW(SYS_tgkill, getpid(), getpid(), SIGSTOP, 0); break;
    case 3: RAW(SYS_exit_group, 7, 0, 0, 0); break;
    case 4: RAW(SYS_kill, getpid(), SIGABRT, 0, 0); break;
    case 5: { unsigned long all = ~0ul; RAW(SYS_rt_sigprocmask, SIG_BLOCK, &all, 0, 8); RAW(SYS_fork, 0, 0, 0, 0); } break;
    case 6: RAW(SYS_alarm, 1, 0, 0, 0); for (;;) RAW(SYS_getpid, 0, 0, 0, 0); break;
    }
    if (y == 77)
        return 2;
    return x > 100;
}
