// bug: uninitialised: what was never written is used: the value and the size of memset are exchanged
#include <string.h>
int cleared(unsigned char key)
{
    unsigned char seen[8];
#ifdef MENDED
    memset(seen, 0, sizeof seen);
#else
    memset(seen, sizeof seen, 0);
#endif
    seen[key % 4] = 1;
    return seen[(key >> 2) % 8] ? 1 : 0;
}
