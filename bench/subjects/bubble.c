/* Bubble sort of SIZE ints: SIZE! orders. */
#include <klee/klee.h>
#ifndef SIZE
#define SIZE 5
#endif

int main(void) {
    int v[SIZE];
    klee_make_symbolic(v, sizeof v, "v");
    for (int i = 0; i < SIZE - 1; i++)
        for (int j = 0; j < SIZE - 1 - i; j++)
            if (v[j] > v[j + 1]) {
                int t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    return v[0];
}
