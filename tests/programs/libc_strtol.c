// entry: level
// input: const char *s: string 3 of 48..57 'x' 'a' 'F' '-' 32 'g'
// option: max_length=3
// claim: paths
#include <stdlib.h>
int level(const char *s) {
    char *end;
    if (!s)
        return -1;
    long value = strtol(s, &end, 0);
    if (*end)
        return 1;
    if (value == 011)
        return 2;
    return value > 200 ? 3 : 4;
}
