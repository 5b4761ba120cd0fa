// bug: out-of-bounds-write: the size of the pointer is taken for that of the text
#include <stdlib.h>
#include <string.h>
int labelled(const char *label)
{
    if (!label)
        return -1;
#ifdef MENDED
    char *copy = malloc(strlen(label) + 1);
#else
    char *copy = malloc(sizeof label);
#endif
    if (!copy)
        return -1;
    strcpy(copy, label);
    int length = (int)strlen(copy);
    free(copy);
    return length;
}
