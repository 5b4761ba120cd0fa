// bug: out-of-bounds-write: the length of 256 does not fit into its byte
#include <stdlib.h>
int packed(unsigned char last)
{
#ifdef MENDED
    size_t size = last + 1u;
#else
    unsigned char size = last + 1;
#endif
    char *bytes = malloc(size);
    if (!bytes)
        return -1;
    bytes[last] = 'e';
    int found = bytes[last];
    free(bytes);
    return found;
}
