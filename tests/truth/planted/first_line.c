// bug: use-after-free: the stream is closed on the error path and once more at the end
#include <stdio.h>
int first_line(const char *name)
{
    int result = 0;
    FILE *file = name ? fopen(name, "r") : NULL;
    if (!file)
        return -1;
    int c = fgetc(file);
    if (c == EOF) {
        result = -2;
#ifndef MENDED
        fclose(file);
#endif
        goto out;
    }
    result = c;
out:
    fclose(file);
    return result;
}
