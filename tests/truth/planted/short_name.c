// bug: out-of-bounds-read: strncpy leaves no end where the text is as long as the array
#include <string.h>
static size_t length_of(const char *text) { return strlen(text); }
int short_name(const char *name)
{
    char kept[3];
    if (!name)
        return -1;
    strncpy(kept, name, sizeof kept);
#ifdef MENDED
    kept[sizeof kept - 1] = 0;
#endif
    return (int)length_of(kept);
}
