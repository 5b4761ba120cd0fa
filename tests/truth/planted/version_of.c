// bug: undefined: a null pointer was passed: a file that is not there: fopen is not checked
#include <stdio.h>
int version_of(void)
{
    FILE *file = fopen("version.txt", "r");
#ifdef MENDED
    if (!file)
        return -1;
#endif
    int version = fgetc(file);
    fclose(file);
    return version;
}
