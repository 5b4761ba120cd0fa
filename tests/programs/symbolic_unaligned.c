// entry: patch
// input: unsigned char i: all
// input: unsigned short word: 0 1 255 256 513 65535
// claim: paths
// about: a write of two bytes at any offset, read back byte by byte and at another one
#include <string.h>
int patch(unsigned char i, unsigned short word) {
    unsigned char bytes[9] = {0};
    if (i > 7)
        return -1;
    *(unsigned short *)(bytes + i) = word;
    if (bytes[3] == 1)
        return 1;
    if (*(unsigned short *)(bytes + 4) == 513)
        return 2;
    return bytes[i] == 255 ? 3 : 0;
}
