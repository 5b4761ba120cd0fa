// bug: leak: allocated memory was not freed: a continue skips what frees
#include <stdlib.h>
int numbers(const int *values, int count)
{
    int sum = 0;
    if (!values || count < 0)
        return -1;
    for (int i = 0; i < count && i < 3; i++) {
        unsigned char *scratch = malloc(4);
        if (!scratch)
            return -2;
        scratch[0] = (unsigned char)values[i];
        if (scratch[0] > 200) {
#ifdef MENDED
            free(scratch);
#endif
            continue;
        }
        sum += scratch[0];
        free(scratch);
    }
    return sum;
}
