// bug: out-of-bounds-read: a character may end before its last byte
#include <stddef.h>
#include <stdint.h>

int code_point(const uint8_t *s, size_t n, uint32_t *out)
{
    if (s == NULL || out == NULL || n == 0)
        return 0;
    *out = s[0];
    if (s[0] < 0x80)
        return 1;
    if ((s[0] & 0xe0) != 0xc0)
        return -1;
#ifdef MENDED
    if (n < 2)
        return -1;
#endif
    if ((s[1] & 0xc0) != 0x80)
        return -1;
    *out = (uint32_t)(s[0] & 31) << 6 | (s[1] & 63);
    return 2;
}
