// bug: out-of-bounds-write: the least number has eleven characters and the end
#include <stdio.h>
#include <string.h>
int printed(int number)
{
#ifdef MENDED
    char text[12];
#else
    char text[11];
#endif
    sprintf(text, "%d", number);
    return (int)strlen(text);
}
