// entry: copy
// input: unsigned char n: all
// outcomes: returned out-of-bounds-write
// about: off by one on the heap
#include <stdlib.h>
int copy(unsigned char n) {
    if (n > 5)
        return -1;
    char *p = malloc(4);
    for (int i = 0; i < n; i++)
        p[i] = (char)i;
    int result = n > 0 ? p[0] : 9;
    free(p);
    return result;
}
