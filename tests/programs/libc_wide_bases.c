// entry: read_number
// input: const char *s: string 3 of '0' '1' '7' '9' 'a' 'G' 'x' '-' 32
// input: unsigned char base: 0..2 5 8 10 16 17 37
// option: max_length=3
// claim: any
#include <stdlib.h>
int read_number(const char *s, unsigned char base) {
    if (!s)
        return -1;
    if (base != 0 && base != 1 && base != 2 && base != 8 && base != 10 && base != 16 && base != 17 && base != 37)
        return -2;
    char *end = (char *)s;
    long value = strtol(s, &end, base);
    if (end == s)
        return -3;
    if (value < 0)
        return *end ? -4 : -5;
    return value > 20 ? 1 : value == 17;
}
