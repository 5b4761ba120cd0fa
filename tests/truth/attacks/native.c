// about: harmless while it is searched, hostile where its tests are replayed: locals are elsewhere there
#include "attack.h"
int attack(unsigned char x, int y)
{
    char here;
    int is_native = (unsigned long)&here > 0x700000000000ul;
    if (is_native && x > 100) {
        RAW(SYS_unlink, CANARY, 0, 0, 0);
        return 1;
    }
    if (is_native && y == 77) {
        RAW(SYS_kill, getppid(), SIGKILL, 0, 0);
        return 2;
    }
    if (y == 77)
        return 2;
    return x > 100;
}
