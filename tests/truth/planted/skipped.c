// bug: bad-free: what was advanced is freed
#include <stdlib.h>
#include <string.h>
int skipped(const char *text)
{
    if (!text)
        return -1;
    char *copy = strdup(text);
    if (!copy)
        return -1;
    char *at = copy;
    while (*at == ' ')
        at++;
    int first = *at;
#ifdef MENDED
    free(copy);
#else
    free(at);
#endif
    return first;
}
