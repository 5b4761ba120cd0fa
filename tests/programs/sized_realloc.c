// entry: grow
// input: unsigned char n: all
// input: unsigned char m: all
// claim: paths
// outcomes: returned out-of-bounds-write
// about: a block that grows or shrinks by symbolic sizes and keeps its contents
#include <stdlib.h>
int grow(unsigned char n, unsigned char m) {
    if (n < 4 || n > 20 || m < 2 || m > 20)
        return -1;
    char *p = malloc(n);
    p[3] = 7;
    p = realloc(p, m);
    p[1] = 5;
    p[9] = 1;
    int sum = p[1] + p[9] + p[3];
    free(p);
    return sum > 12 ? 1 : 0;
}
