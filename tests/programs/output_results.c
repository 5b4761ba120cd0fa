// entry: emit
// input: unsigned short c: 32..126 288..382
// claim: paths
// about: what fputc returns is the character as an unsigned one
#include <stdio.h>
int emit(unsigned short c) {
    int written = fputc(c, stderr);
    if (written > 100)
        return 1;
    return written == 65 ? 2 : written == c ? 3 : 4;
}
