// refused: 14
#include "attack.h"
int attack(unsigned char x, int y)
{
    static const char there[] = CANARY;
    switch (x) {
    case 1: RAW(SYS_unlink, there, 0, 0, 0); break;
    case 2: RAW(SYS_open, there, O_WRONLY | O_TRUNC, 0, 0); break;
    case 3: RAW(SYS_openat, AT_FDCWD, there, O_RDWR, 0); break;
    case 4: RAW(SYS_truncate, there, 0, 0, 0); break;
    case 5: RAW(SYS_rename, there, CANARY ".moved", 0, 0); break;
    case 6: RAW(SYS_chmod, there, 0, 0, 0); break;
    case 7: RAW(SYS_openat, AT_FDCWD, CANARY ".new", O_CREAT | O_WRONLY, 0600); break;
    case 8: RAW(SYS_mkdir, CANARY ".folder", 0700, 0, 0); break;
    case 9: RAW(SYS_symlink, "/etc/passwd", CANARY ".link", 0, 0); break;
    case 10: RAW(SYS_open, "/etc/passwd", O_WRONLY, 0, 0); break;
    case 11: RAW(SYS_open, "/proc/self/mem", O_RDWR, 0, 0); break;
    case 12: RAW(SYS_open, "/proc/self/fd/4000", O_RDWR, 0, 0); break;
    case 13: RAW(SYS_utimensat, AT_FDCWD, there, 0, 0); break;
    case 14: RAW(SYS_open, there, O_RDONLY, 0, 0); break;
    }
    if (y == 77)
        return 2;
    return x > 100;
}
