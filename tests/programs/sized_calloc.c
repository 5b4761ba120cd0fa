// entry: sum
// input: unsigned char n: all
// claim: paths
// outcomes: returned out-of-bounds-read
// about: a loop over a block of symbolic size that reads one element too much for some sizes
#include <stdlib.h>
int sum(unsigned char n) {
    if (n > 12)
        return -1;
    int total = 0, last = n > 6 ? n : n - 1;
    int *p = calloc(n, sizeof *p);
    for (int k = 0; k < n; k++)
        p[k] = k * n;
    for (int k = 0; k <= last; k++)
        total += p[k];
    free(p);
    return total > 20 ? 1 : 0;
}
