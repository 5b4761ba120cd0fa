// entry: late
// input: unsigned char x: all
// outcomes: returned use-after-free
#include <stdlib.h>
int late(unsigned char x) {
    unsigned char *p = malloc(1);
    *p = x;
    if (x == 7)
        free(p);
    int y = *p;
    if (x != 7)
        free(p);
    return y > 9;
}
