// entry: price
// input: const char *s: string 3 of 48..57 '.' '-' 'e' 'x' 32
// option: max_length=3
// claim: paths
#include <stdlib.h>
int price(const char *s) {
    char *end;
    if (!s)
        return -1;
    double value = strtod(s, &end);
    if (end == s)
        return 0;
    if (*end)
        return 1;
    if (value == 2.5)
        return 2;
    return value < 0 ? 3 : 4;
}
