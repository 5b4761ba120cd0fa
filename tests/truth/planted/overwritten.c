// bug: leak: allocated memory was not freed: the only pointer to a block is overwritten
#include <stdlib.h>
int overwritten(int again)
{
    char *line = malloc(8);
    if (!line)
        return -1;
    if (again) {
#ifdef MENDED
        free(line);
#endif
        line = malloc(16);
        if (!line)
            return -1;
    }
    line[0] = 'x';
    int first = line[0];
    free(line);
    return first;
}
