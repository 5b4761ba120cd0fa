// entry: keyword
// input: const char *s: string 3 of 'i' 'f' 'n' 'o' 'x'
// option: max_length=3
#include <string.h>
int keyword(const char *s) {
    if (!s)
        return 0;
    if (strcmp(s, "if") == 0)
        return 1;
    if (!strncmp(s, "no", 2))
        return s[2] ? 3 : 2;
    return 4;
}
