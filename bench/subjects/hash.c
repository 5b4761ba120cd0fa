/* Branches behind a hash of the input. */
#include <klee/klee.h>

static unsigned mix(unsigned x) {
    x ^= x >> 16;
    x *= 0x45d9f3bu;
    x ^= x >> 13;
    return x;
}

int main(void) {
    unsigned x, y;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&y, sizeof y, "y");
    if (mix(x) == 0xdeadbeefu)
        return 1;
    if (mix(y) % 1000 == 77)
        return 2;
    if ((mix(x ^ y) & 0xffff) == 0x1234)
        return 3;
    return x > y ? 4 : 5;
}
