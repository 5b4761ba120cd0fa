// entry: leftover
// input: double x: -7.5 -1.5 0.0 1.5 4.0 10.0 1e300
// claim: any
// about: fmod keeps its meaning; a solver knows no such operation, the ladder inverts it
#include <math.h>
int leftover(double x) {
    double rest = fmod(x, 3.0);
    if (rest == 1.5)
        return 1;
    return rest < 0 ? 2 : 3;
}
