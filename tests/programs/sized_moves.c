// entry: take_out
// input: unsigned char length: 0..9
// input: unsigned char at: all
// claim: paths
// about: the last element of a full array is taken out: memmove moves nothing, and its source lies behind the end
#include <string.h>
int take_out(unsigned char length, unsigned char at) {
    signed char items[8] = {3, 1, 4, 1, 5, 9, 2, 6};
    if (length > 8 || at >= length)
        return -1;
    memmove(items + at, items + at + 1, length - at - 1u);
    if (at == 7)
        return items[7] == 6 ? 1 : 2;
    return items[at] == 9 ? 3 : 4;
}
