/* The tester's triangle: kinds of triangles by three sides, right-angled ones too. */
#include <klee/klee.h>

static int kind(int a, int b, int c) {
    if (a <= 0 || b <= 0 || c <= 0 || a > 1000 || b > 1000 || c > 1000)
        return 0;
    if (a + b <= c || a + c <= b || b + c <= a)
        return 1;
    if (a == b && b == c)
        return 2;
    if (a * a + b * b == c * c || a * a + c * c == b * b || b * b + c * c == a * a)
        return 3;
    if (a == b || b == c || a == c)
        return 4;
    return 5;
}

int main(void) {
    int side[3];
    klee_make_symbolic(side, sizeof side, "side");
    return kind(side[0], side[1], side[2]);
}
