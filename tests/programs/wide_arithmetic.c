// entry: wide
// input: signed char x: all
// input: unsigned char y: all
// claim: paths
// about: 128-bit sums, differences, products, logic, comparisons, conversions, memory, arguments and results
struct holder {
    char tag;
    __int128 value;
};
static __int128 mixed(__int128 a, unsigned __int128 b) { return a * 3 - (__int128)(b ^ ((unsigned __int128)1 << 70)); }
int wide(signed char x, unsigned char y) {
    __int128 big = ((__int128)x << 64) + y;
    struct holder holder = {1, big};
    __int128 result = mixed(holder.value, y);
    unsigned __int128 logic = ((unsigned __int128)big | 7) & ~(unsigned __int128)0x10;
    if (big < 0)
        return (long)(big >> 64) == -5 ? 1 : logic > (unsigned __int128)-1 - 8 ? 2 : 3;
    if (result == ((__int128)9 << 64) - 3 * 64)
        return 4;
    if ((unsigned __int128)result >= (unsigned __int128)x << 65)
        return (unsigned long)result == (unsigned long)y + y ? 5 : 6;
    return holder.value > ((__int128)3 << 64) + 100 ? 7 : 8;
}
