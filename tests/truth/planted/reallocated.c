// bug: use-after-free: a pointer into the block from before it grew
#include <stdlib.h>
int reallocated(unsigned char wanted)
{
    int *values = malloc(2 * sizeof *values);
    if (!values)
        return -1;
    values[0] = 7;
    int *first = values;
    if (wanted > 2) {
        int *larger = realloc(values, wanted * sizeof *values);
        if (!larger) {
            free(values);
            return -1;
        }
        values = larger;
    }
#ifdef MENDED
    first = values;
#endif
    int found = first[0];
    free(values);
    return found;
}
