// entry: unmap
// outcomes: killed|wild-pointer|returned|cut
// about: takes the engine's memory away
#include <sys/mman.h>
int unmap(unsigned char x) {
    if (x == 5)
        munmap((void *)0x200000000000ul, 1ul << 32);
    if (x > 100)
        return 1;
    return 0;
}
