/* Accesses of several bytes, of which only the first may be there: read, written, copied, and elements of two bytes. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>
int loaded(const unsigned char *p, size_t length)
{
    if (length < 2 || p[0] != 7)
        return 0;
    return *(const uint32_t *)(p + 1) == 0x01020304 ? 2 : 1;
}
int stored(unsigned char *p, size_t length)
{
    if (length < 2)
        return 0;
    *(uint64_t *)(p + 1) = 5;
    return p[8] == 0 ? 1 : 2;
}
int copied(const unsigned char *p, size_t length)
{
    unsigned char own[6] = {0};
    if (length == 0)
        return 0;
    memcpy(own, p, sizeof own);
    return own[5] == own[0] ? 1 : 2;
}
int shorts(const uint16_t *p, size_t length)
{
    uint32_t two;
    if (length < 1)
        return 0;
    memcpy(&two, p, sizeof two);
    return two == 0x00070009 ? 1 : 2;
}
