// entry: bits
// input: short x: all
// claim: paths
// about: integers of 100 bits: their sign, wrap-around and conversions
int bits(short x) {
    _BitInt(100) wide = (_BitInt(100))x << 83;
    unsigned _BitInt(90) other = (unsigned _BitInt(90))wide + 5;
    if (wide < 0)
        return other >> 80 == 1016 ? 1 : 2;
    return (long)(wide >> 80) == 80 ? 3 : (other >> 83) == 3 ? 4 : 5;
}
