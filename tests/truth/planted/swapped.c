// bug: out-of-bounds-write: elements are counted in bytes
#include <stdlib.h>
#include <string.h>
int swapped(unsigned char count)
{
    if (count == 0 || count > 4)
        return -1;
#ifdef MENDED
    short *values = malloc(count * sizeof *values);
#else
    short *values = malloc(count);
#endif
    if (!values)
        return -1;
    for (int i = 0; i < count; i++)
        values[i] = (short)i;
    int last = values[count - 1];
    free(values);
    return last;
}
