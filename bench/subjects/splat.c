/* Splat's example `test`: SIZE independent inputs, 2^SIZE paths, no error. */
#include <klee/klee.h>
#include <stdlib.h>
#ifndef SIZE
#define SIZE 8
#endif

int main(void) {
    int a[SIZE];
    klee_make_symbolic(a, sizeof a, "a");
    for (int k = 0; k < SIZE; k++)
        if (a[k] == 0) a[k] = 1;
    for (int k = 0; k < SIZE; k++)
        if (a[k] == 0) abort();
    return 0;
}
