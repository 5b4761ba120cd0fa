// entry: magic
// input: struct head h: .b[0]=0 'E' 'e'; .b[1]=0 'L' 'M'; .b[2]=0 'F' 'G'
// about: memcmp and memcpy of symbolic bytes
#include <string.h>
struct head { char b[3]; };
int magic(struct head h) {
    char copy[4] = {0};
    memcpy(copy, h.b, 3);
    if (memcmp(copy, "ELF", 3) == 0)
        return 1;
    if (memchr(copy, 'G', 3))
        return 2;
    return copy[0] == 'e' ? 3 : 0;
}
