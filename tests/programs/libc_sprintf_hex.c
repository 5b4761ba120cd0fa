// entry: dump
// input: unsigned char x: all
// claim: paths
#include <stdio.h>
int dump(unsigned char x) {
    char text[16];
    sprintf(text, "%#06x", x);
    if (text[4] == 'a' && text[5] == 'f')
        return 1;
    return text[5] == '0' ? 2 : 3;
}
