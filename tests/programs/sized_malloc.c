// entry: fill
// input: unsigned char n: all
// claim: paths
// outcomes: returned out-of-bounds-write
// about: a block of symbolic size: what is written at fixed places fits for some sizes
#include <stdlib.h>
int fill(unsigned char n) {
    int *p = malloc(n);
    p[0] = 1;
    p[3] = 2;
    if (n == 100)
        p[24] = 5;
    int sum = p[0] + p[3];
    free(p);
    return sum;
}
