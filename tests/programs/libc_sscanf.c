// entry: sum
// input: const char *s: string 3 of 48..57 44 '-' 32 'z'
// option: max_length=3
// claim: paths
#include <stdio.h>
int sum(const char *s) {
    int x = 0, y = 0;
    if (!s)
        return -2;
    int count = sscanf(s, "%d,%d", &x, &y);
    if (count == 2)
        return x + y == 11 ? 2 : 3;
    if (count == 1)
        return x == -7 ? 4 : 1;
    return count;
}
