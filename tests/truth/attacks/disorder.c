// about: leaves timers, handlers and limits behind, or dies of what no handler sees: other runs must not notice
#include "attack.h"
int attack(unsigned char x, int y)
{
    switch (x) {
    case 1: RAW(SYS_munmap, 0x400000000000ul, 1ul << 28, 0, 0); break;
    case 2: { struct itimerval soon = {{0, 1000}, {0, 1000}}; RAW(SYS_setitimer, ITIMER_PROF, &soon, 0, 0); } break;
    case 3: { struct itimerval soon = {{0, 1000}, {0, 1000}}; setitimer(ITIMER_VIRTUAL, &soon, 0); } break;
    case 4: { void *ignored[4] = {SIG_IGN}; RAW(SYS_rt_sigaction, SIGSEGV, ignored, 0, 8); } break;
    case 5: RAW(SYS_kill, getpid(), SIGTERM, 0, 0); break;
    case 6: __asm__ volatile("xorl %%eax, %%eax\n\tjmpq *%%rax" : : : "rax"); break;
    case 7: { unsigned long none[2] = {0, 0}; RAW(SYS_prlimit64, 0, 2, none, 0); } break;
    case 8: RAW(SYS_mprotect, (long)&attack & ~4095l, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, 0); break;
    case 9: RAW(SYS_kill, getpid(), 40, 0, 0); break;
    }
    for (volatile int k = 0; k < 20000; k++)
        ;
    if (y == 77)
        return 2;
    return x > 100;
}
