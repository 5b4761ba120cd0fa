// bug: undefined: what is copied overlaps: one character is taken out by a copy onto the text itself
#include <string.h>
int shifted(char *line)
{
    if (!line || line[0] != '#')
        return -1;
#ifdef MENDED
    memmove(line, line + 1, strlen(line));
#else
    memcpy(line, line + 1, strlen(line));
#endif
    return line[0];
}
