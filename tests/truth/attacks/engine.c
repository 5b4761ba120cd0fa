// refused: 17
#include "attack.h"
int attack(unsigned char x, int y)
{
    struct { void *place; unsigned long size; } piece = {(void *)SHARED, 64};
    switch (x) {
    case 1: RAW(SYS_getrandom, SHARED, 64, 0, 0); break;
    case 2: RAW(SYS_clock_gettime, CLOCK_REALTIME, ENGINE + 64, 0, 0); break;
    case 3: RAW(SYS_read, 0, HOT, 8, 0); break;
    case 4: RAW(SYS_readv, 0, &piece, 1, 0); break;
    case 5: RAW(SYS_munmap, SHARED, 4096, 0, 0); break;
    case 6: RAW(SYS_munmap, 0x10000, 1ul << 46, 0, 0); break;
    case 7: RAW(SYS_mprotect, SHADOW, 4096, PROT_NONE, 0); break;
    case 8: RAW(SYS_mmap, SHARED, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED); break;
    case 9: RAW(SYS_mremap, SHARED, 4096, 8192, 1); break;
    case 10: RAW(SYS_madvise, ENGINE, 1ul << 20, 4, 0); break;
    case 11: RAW(SYS_write, 4000, "!", 1, 0); break;
    case 12: RAW(SYS_write, 4001, "\001", 1, 0); break;
    case 13: RAW(SYS_close, 4001, 0, 0, 0); break;
    case 14: RAW(436 /* close_range */, 3, ~0u, 0, 0); break;
    case 15: RAW(SYS_dup2, 0, 4001, 0, 0); break;
    case 16: { void *handler[4] = {SIG_IGN}; RAW(SYS_rt_sigaction, SIGSYS, handler, 0, 8); } break;
    case 17: RAW(SYS_munmap, 0x60000000, 4096, 0, 0); break;
    }
    if (y == 77)
        return 2;
    return x > 100;
}
