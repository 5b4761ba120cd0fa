// bug: double-free: the error path frees what the end frees
#include <stdlib.h>
int twice_freed(int size)
{
    int status = 0;
    char *buffer = malloc(16);
    if (!buffer)
        return -1;
    if (size < 0) {
        free(buffer);
#ifdef MENDED
        buffer = NULL;
#endif
        status = -2;
    }
    free(buffer);
    return status;
}
