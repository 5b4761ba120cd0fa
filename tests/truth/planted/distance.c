// bug: undefined: the least number has no absolute value
#include <stdlib.h>
int distance(int a)
{
    static const int steps[10] = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
#ifdef MENDED
    return steps[(unsigned)(a < 0 ? 0u - (unsigned)a : (unsigned)a) % 10];
#else
    return steps[abs(a) % 10];
#endif
}
