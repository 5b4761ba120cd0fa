/* Operations that -fsanitize checks, none of which goes wrong. */
#include <stdint.h>
#include <stdio.h>
void veer_input(void *cell, uint64_t size, const char *name);
int program(void) {
    int a, b, table[8] = {0};
    long l;
    unsigned u;
    veer_input(&a, sizeof a, "a");
    veer_input(&b, sizeof b, "b");
    veer_input(&l, sizeof l, "l");
    veer_input(&u, sizeof u, "u");
    a >>= 4, b >>= 4, l >>= 8;
    printf("%d %d %ld %d\n", a + b, a - b, l * (b & 63), (a >> 12) * (b >> 12));
    printf("%d %d %d\n", a / (b | 1), (a & 255) << (u & 7), -a);
    table[u & 7] = a;
    printf("%d\n", table[u & 7]);
    return b;
}
