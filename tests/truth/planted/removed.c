// bug: out-of-bounds-read: what follows the entry is one less than the list has
#include <string.h>
int removed(unsigned at)
{
    int list[5] = {1, 2, 3, 4, 5};
    if (at >= 5) return -1;
#ifdef MENDED
    memmove(list + at, list + at + 1, (4 - at) * sizeof *list);
#else
    memmove(list + at, list + at + 1, (5 - at) * sizeof *list);
#endif
    return list[0];
}
