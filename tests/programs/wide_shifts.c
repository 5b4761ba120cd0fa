// entry: shift
// input: unsigned char n: 0..128
// input: signed char x: all
// claim: paths
// about: 128-bit shifts by variable amounts
int shift(unsigned char n, signed char x) {
    if (n > 127)
        return 0;
    __int128 value = (__int128)x << 60 | 1;
    unsigned __int128 left = (unsigned __int128)value << n;
    if ((unsigned long)(left >> 64) == 0x300)
        return 1;
    if ((long)(value >> n) == -2)
        return 2;
    return (unsigned long)((unsigned __int128)value >> n) == 5 ? 3 : 4;
}
