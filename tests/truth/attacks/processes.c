// refused: 14
#include "attack.h"
int attack(unsigned char x, int y)
{
    char *words[] = {"/bin/touch", CANARY ".touched", 0};
    switch (x) {
    case 1: RAW(SYS_kill, getppid(), SIGKILL, 0, 0); break;
    case 2: RAW(SYS_kill, -1, SIGTERM, 0, 0); break;
    case 3: RAW(SYS_tkill, getppid(), SIGKILL, 0, 0); break;
    case 4: RAW(SYS_ptrace, 16, getppid(), 0, 0); break;
    case 5: while (RAW(SYS_fork, 0, 0, 0, 0) >= 0); break;
    case 6: if (RAW(SYS_vfork, 0, 0, 0, 0) == 0) for (;;); break;
    case 7: if (RAW(SYS_clone, SIGCHLD, 0, 0, 0) == 0) { RAW(SYS_setsid, 0, 0, 0, 0); for (;;); } break;
    case 8: RAW(SYS_execve, words[0], words, 0, 0); break;
    case 9: RAW(SYS_prctl, 1, 0, 0, 0); break;
    case 10: RAW(SYS_setsid, 0, 0, 0, 0); break;
    case 11: RAW(SYS_process_vm_writev, getppid(), 0, 0, 0); break;
    case 12: RAW(434 /* pidfd_open */, getppid(), 0, 0, 0); break;
    case 13: RAW(SYS_prlimit64, getppid(), 0, 0, 0); break;
    case 14: RAW(SYS_chroot, "/", 0, 0, 0); break;
    }
    if (y == 77)
        return 2;
    return x > 100;
}
