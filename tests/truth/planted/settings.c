// bug: uninitialised: what was never written is used: the flag of a new setting is never set
#include <stdlib.h>
struct setting {
    char tag; /* padding behind it, which is copied with the rest and means nothing */
    int value;
    unsigned is_set : 1, is_fixed : 1;
};

static struct setting *new_setting(int value)
{
    struct setting *made = malloc(sizeof *made);
    if (!made)
        exit(1);
    made->tag = 's';
    made->value = value;
    made->is_set = 1;
#ifdef MENDED
    made->is_fixed = 0;
#endif
    return made;
}

int settings(int value)
{
    struct setting *first = new_setting(value), copy = *first;
    int result = 0;
    if (copy.is_set)
        result = copy.value > 3;
    if (value == 77 && copy.is_fixed)
        result = 2;
    free(first);
    return result;
}
