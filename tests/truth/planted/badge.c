// bug: undefined: a string goes on behind the end: strncpy() leaves a long name without its NUL
#include <string.h>

struct badge {
    char name[8];
    int number;
};

int badge(struct badge *b, const char *name)
{
    if (b == NULL || name == NULL)
        return -1;
#ifdef MENDED
    strncpy(b->name, name, sizeof b->name - 1);
    b->name[sizeof b->name - 1] = 0;
#else
    strncpy(b->name, name, sizeof b->name);
#endif
    b->number = 0;
    return (int)strlen(b->name);
}
