// bug: out-of-bounds-read: an empty line has no last character
#include <string.h>
int chomp(char *line)
{
    if (!line)
        return -1;
    size_t length = strlen(line);
#ifdef MENDED
    while (length && line[length - 1] == '\n')
#else
    while (line[length - 1] == '\n')
#endif
        line[--length] = 0;
    return (int)length;
}
