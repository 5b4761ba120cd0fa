// entry: make
// input: unsigned short n: all
// claim: paths
// outcomes: returned out-of-bounds-write
// about: a header with a tail of symbolic size, in two classes of sizes
#include <stdlib.h>
struct packet {
    int length;
    char data[];
};
int make(unsigned short n) {
    if (n > 5000)
        return -1;
    struct packet *p = malloc(sizeof *p + n);
    p->length = n;
    p->data[0] = 1;
    p->data[7] = 2;
    if (p->length > 4096)
        p->data[4096] = 3;
    int first = p->data[0];
    free(p);
    return first;
}
