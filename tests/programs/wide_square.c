// entry: wide
// input: long x: -9223372036854775808 -1 0 1 3037000500 9223372036854775807
// claim: paths
// about: the upper half of a 128-bit square
int wide(long x) {
    __int128 square = (__int128)x * x;
    return (long)(square >> 64) > 0 ? 1 : 0;
}
