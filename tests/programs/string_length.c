// entry: measure
// paths: 4
// input: const char *s: string 3 of 'a' 'b'
// option: max_length=3
#include <string.h>
int measure(const char *s) {
    if (!s)
        return -1;
    unsigned long n = strlen(s);
    if (n == 0)
        return 0;
    return n == 3 ? 2 : 1;
}
