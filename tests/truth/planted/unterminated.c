// bug: out-of-bounds-read: strncpy leaves a name of eight characters without its end
#include <string.h>
int unterminated(const char *name)
{
    char field[4];
    if (!name)
        return -1;
    strncpy(field, name, sizeof field);
#ifdef MENDED
    field[sizeof field - 1] = 0;
#endif
    return (int)strlen(field);
}
