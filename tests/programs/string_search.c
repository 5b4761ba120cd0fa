// entry: split
// input: const char *s: string 3 of '=' 'k' 'v'
// option: max_length=3
#include <string.h>
int split(const char *s) {
    if (!s)
        return -1;
    const char *at = strchr(s, '=');
    if (!at)
        return 0;
    if (at == s)
        return 1;
    return at[1] ? 2 : 3;
}
