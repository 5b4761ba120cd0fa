// bug: null-dereference: strchr finds nothing, and nobody asks
#include <string.h>
int unchecked_find(const char *setting)
{
    if (!setting)
        return -1;
    const char *equals = strchr(setting, '=');
#ifdef MENDED
    if (!equals)
        return -2;
#endif
    return equals[1] == 'y';
}
