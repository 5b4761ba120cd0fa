/* What kind of solutions a quadratic equation has, on doubles. */
#include <klee/klee.h>

static int kind(double a, double b, double c) {
    if (!(a > -1e6 && a < 1e6 && b > -1e6 && b < 1e6 && c > -1e6 && c < 1e6)) return 0;
    if (a == 0) {
        if (b == 0) return c == 0 ? 1 : 2;
        return 3;
    }
    double discriminant = b * b - 4 * a * c;
    if (discriminant < 0) return 4;
    return discriminant == 0 ? 5 : 6;
}

int main(void) {
    double coefficient[3];
    klee_make_symbolic(coefficient, sizeof coefficient, "coefficient");
    return kind(coefficient[0], coefficient[1], coefficient[2]);
}
