// bug: out-of-bounds-read: the last percentile is behind the last number
#include <stddef.h>

int percentile(const int *v, size_t n, unsigned p)
{
    if (v == NULL || n == 0 || p > 100)
        return 0;
#ifdef MENDED
    return v[(n - 1) * p / 100];
#else
    return v[n * p / 100];
#endif
}
