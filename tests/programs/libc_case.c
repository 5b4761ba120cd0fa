// entry: answer
// input: const char *s: string 3 of 'y' 'Y' 'e' 'E' 's' 'S' 'n' 'N' 'o' 'x'
// option: max_length=3
// claim: paths
#include <strings.h>
int answer(const char *s) {
    if (!s)
        return -1;
    if (strcasecmp(s, "yes") == 0)
        return 1;
    if (strncasecmp(s, "no", 2) == 0)
        return 2;
    return 0;
}
