// entry: fields
// input: const char *s: string 3 of '0' '9' '.' '-' 'a'
// option: max_length=3
// claim: paths
#include <string.h>
int fields(const char *s) {
    if (!s)
        return -1;
    unsigned long digits = strspn(s, "0123456789");
    if (digits == 0)
        return strpbrk(s, ".-") ? 1 : 2;
    return s[digits + strcspn(s + digits, ".")] ? 3 : 4;
}
