// bug: out-of-bounds-write: a negative length is below the limit, and large as a size
#include <string.h>
int received(short length)
{
    char message[16] = "hello", copy[16] = "";
#ifdef MENDED
    if (length < 0 || length > 16)
#else
    if (length > 16)
#endif
        return -1;
    memcpy(copy, message, (size_t)length);
    return copy[0];
}
