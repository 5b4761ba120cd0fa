// entry: mask
// input: unsigned char n: all
// about: a shift by 32 and more is guarded by the program
int mask(unsigned char n) {
    unsigned v = n < 32 ? 1u << n : 0;
    return v == 0x10000 ? 1 : v ? 2 : 3;
}
