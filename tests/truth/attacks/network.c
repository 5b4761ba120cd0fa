// refused: 9
#include "attack.h"
int attack(unsigned char x, int y)
{
    switch (x) {
    case 1: RAW(SYS_socket, 2, 1, 0, 0); break;
    case 2: RAW(SYS_socket, 10, 2, 0, 0); break;
    case 3: RAW(SYS_socket, 1, 1, 0, 0); break;
    case 4: RAW(SYS_mount, "none", "/tmp", "tmpfs", 0); break;
    case 5: RAW(SYS_unshare, 0x10000000, 0, 0, 0); break;
    case 6: RAW(SYS_bpf, 0, 0, 0, 0); break;
    case 7: RAW(425 /* io_uring_setup */, 8, 0, 0, 0); break;
    case 8: RAW(SYS_keyctl, 0, 0, 0, 0); break;
    case 9: RAW(SYS_perf_event_open, 0, 0, -1, -1); break;
    }
    if (y == 77)
        return 2;
    return x > 100;
}
