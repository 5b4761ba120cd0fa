// bug: leak: allocated memory was not freed: the block is lost where the input is wrong
#include <stdlib.h>
#include <string.h>
int error_path(const char *text)
{
    if (!text)
        return -1;
    char *copy = malloc(strlen(text) + 1);
    if (!copy)
        return -1;
    strcpy(copy, text);
    if (copy[0] == '#') {
#ifdef MENDED
        free(copy);
#endif
        return -2;
    }
    int first = copy[0];
    free(copy);
    return first;
}
