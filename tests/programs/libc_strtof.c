// entry: weight
// input: const char *s: string 4 of '1' '3' '9' 'e' '-' '.' 'p' 'x' '0'
// option: max_length=4
// claim: paths
#include <stdlib.h>
int weight(const char *s) {
    char *end;
    if (!s)
        return -1;
    float value = strtof(s, &end);
    if (end == s)
        return 0;
    if (*end)
        return 1;
    if (value > 1e30f)
        return 2;
    if (value > 0 && value < 1e-7f)
        return 3;
    return value < 0 ? 4 : 5;
}
