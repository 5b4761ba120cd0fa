// bug: out-of-bounds-write: three bytes are written where there is room for two
#include <stddef.h>
#include <stdint.h>

#ifdef MENDED
#define ROOM 3
#else
#define ROOM 2
#endif

int unpacked(const uint16_t *in, size_t len, uint8_t *out, size_t cap)
{
    size_t n = 0;
    if (in == NULL || out == NULL)
        return -1;
    for (size_t i = 0; i < len; i++) {
        if (n + ROOM > cap)
            return -2;
        out[n++] = (uint8_t)(in[i] >> 10);
        out[n++] = (uint8_t)(in[i] >> 5 & 31);
        out[n++] = (uint8_t)(in[i] & 31);
    }
    return (int)n;
}
