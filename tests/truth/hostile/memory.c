// entry: hoard
// outcomes: memory-limit|null-dereference|cut|returned
// about: 32 GiB of memory
#include <stdlib.h>
int hoard(unsigned char x) {
    if (x == 5)
        for (int i = 0; i < 1 << 15; i++) {
            char *p = malloc(1 << 20);
            if (!p)
                return 2;
            p[0] = 1;
        }
    if (x > 100)
        return 1;
    return 0;
}
