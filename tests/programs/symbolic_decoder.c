// entry: decode
// claim: paths
// outcomes: returned
// input: unsigned char low: all
// input: unsigned char high: all
// about: a decoder of a prefix code: what is read from a table at a symbolic index says how far the bits are shifted
struct code {
    unsigned char bits, value;
};
static const struct code codes[8] = {{1, 5}, {2, 3}, {1, 5}, {3, 7}, {1, 5}, {2, 3}, {1, 5}, {3, 0}};
int decode(unsigned char low, unsigned char high) {
    unsigned hold = low | (unsigned)high << 8, left = 10;
    int seen = 0;
    while (seen < 4) {
        struct code here = codes[hold & 7];
        if (here.bits > left)
            return -seen;
        hold >>= here.bits;
        left -= here.bits;
        if (here.value == 0)
            return 100 + seen;
        if (here.value == 7 && (hold >> 1 & ((1u << here.bits) - 1)) == 6)
            return 200 + seen;
        seen++;
    }
    return left > 3 ? 1000 : 1001;
}
