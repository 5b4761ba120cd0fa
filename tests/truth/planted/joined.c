// bug: uninitialised: what was never written is used: nothing is there yet to add to
#include <string.h>
int joined(_Bool is_long)
{
    char text[16];
#ifdef MENDED
    text[0] = 0;
#endif
    strcat(text, is_long ? "--verbose" : "-v");
    return text[1] == '-';
}
