// entry: spot
// input: unsigned char n: all
// input: unsigned char i: 0..25
// claim: paths
// outcomes: returned out-of-bounds-write out-of-bounds-read
// about: a write at a symbolic index of a block of symbolic size, found again at a fixed place
#include <stdlib.h>
int spot(unsigned char n, unsigned char i) {
    if (i > 24)
        return -1;
    short *p = calloc(n, sizeof *p);
    p[i] = 7;
    int found = p[20] == 7 ? 1 : p[2];
    free(p);
    return found;
}
