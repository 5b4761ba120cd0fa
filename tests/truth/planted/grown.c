// bug: out-of-bounds-write: no place for the end of the copy
#include <stdlib.h>
#include <string.h>
int grown(const char *word)
{
    if (!word)
        return -1;
#ifdef MENDED
    char *copy = malloc(strlen(word) + 1);
#else
    char *copy = malloc(strlen(word));
#endif
    if (!copy)
        return -1;
    strcpy(copy, word);
    int last = copy[0];
    free(copy);
    return last;
}
