// entry: scaled
// input: signed char a: -128..127
// input: signed char b: -128..127
// outcomes: returned undefined
#include <stdint.h>
static int narrow(int64_t product) {
    uint64_t upper = (uint64_t)product >> 11;
    if (product < 0)
        return ~upper << 11 ? -1000 : (int)(product >> 4);
    return upper ? 1000 : (int)(product >> 4);
}

int scaled(signed char a, signed char b) {
    int result = narrow((int64_t)a * b);
    if (result == 1000 && (a >= 0) != (b >= 0))
        return 1; // no product has another sign than this
    if (result == -128)
        return 2;
    if ((int64_t)a * b == 0 && a && b)
        return 3;
    uint8_t bits = (uint8_t)(a * 2 - b);
    if ((signed char)a * 16777216 + b < 0) // -128 * 2^24 is the least int
        return bits > 7 ? 4 : 5;
    return 6;
}
