// entry: decode
// input: char a: all
// input: unsigned char b: all
// claim: paths
// outcomes: returned null-dereference
// about: a symbolic byte looked for in constant texts: the place is a term, its paths are those of the caller
#include <string.h>
static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
int decode(char a, unsigned char b) {
    const char *first = strchr(alphabet, a), *second = memchr(alphabet, b, 26);
    if (!first)
        return *second == 'Q' ? -1 : -2;
    if (!second)
        return strchr("xyz", b) ? -3 : -4;
    long value = (first - alphabet) * 64 + (second - alphabet);
    if (value == 17 * 64 + 5)
        return 1000;
    if (first == alphabet + 64 && *first == 0)
        return 2000;
    return value > 1600 && first[1] == '8';
}
