// entry: rounding
// input: double x: -3.0 -2.5 -2.25 -2.0 -1.0 -0.75 -0.5 -0.25 -0.0 0.0 0.25 0.5 0.75 1.0 1.5 2.0 2.25 2.5 2.75 3.0 1e300
// claim: paths
// about: floor, ceil, trunc, round, rint and their signed zeros
#include <math.h>
static int sign_of_zero(double z) { return z == 0 && signbit(z); }
int rounding(double x) {
    if (floor(x) == 2.0)
        return ceil(x) == 3.0 ? (rint(x) == round(x) ? 1 : 2) : 3;
    if (trunc(x) == -2.0)
        return round(x) == -3.0 ? 4 : 5;
    if (sign_of_zero(ceil(x)))
        return round(x) == -1.0 ? 6 : sign_of_zero(x) ? 7 : 8;
    return floor(x) == x ? 9 : 10;
}
