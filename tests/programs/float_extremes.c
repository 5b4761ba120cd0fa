// entry: extremes
// input: double x: -8.0 -0.0 0.0 1.0 7.5 1e300
// input: float y: -1.0 0.0 2.0 64.0
// claim: paths
// about: fmin and fmax of numbers, zeros and NaNs; copysign
#include <math.h>
int extremes(double x, float y) {
    double low = fmin(x, 2.0);
    float high = fmaxf(y, (float)(0.0 * INFINITY));
    if (low == -8.0)
        return high > 63.0f ? 1 : 2;
    if (copysign(3.0, x) < 0)
        return 3;
    return fmax(x, y) == 7.5 ? 4 : high < 0 ? 5 : 6;
}
