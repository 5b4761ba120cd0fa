// entry: grown
// input: unsigned char x: all
// claim: paths
// about: what moves keeps its constraints
#include <stdlib.h>
int grown(unsigned char x) {
    unsigned char *p = malloc(1);
    *p = x;
    p = realloc(p, 64);
    int result = p[0] == 77 ? 1 : 0;
    free(p);
    return result;
}
