// entry: bits
// input: unsigned char x: all
// input: unsigned char n: 0..7
int bits(unsigned char x, unsigned char n) {
    n &= 7;
    if ((x >> n) & 1)
        return 1;
    return (unsigned char)(x << n) == 0x80 ? 2 : 0;
}
