// entry: rounded
// input: double x: -2.5 -1.0 0.0 2.25 2.5 4.0 9.0 1e300
// claim: paths
#include <math.h>
int rounded(double x) {
    if (x < 0)
        return lround(x) == -3 ? 1 : 2;
    if (sqrt(x) == 1.5)
        return 3;
    return x > 8 && x < 10 ? 4 : 5;
}
