/* n independent ifs: 2^n paths. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 16
#endif

int main(void) {
    unsigned char x[SIZE];
    int sum = 0;
    klee_make_symbolic(x, sizeof x, "x");
    for (int i = 0; i < SIZE; i++)
        if (x[i] > 100)
            sum++;
    return sum;
}
