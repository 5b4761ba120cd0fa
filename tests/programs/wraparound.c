// entry: wraps
// input: unsigned char a: all
// input: unsigned char b: 0 1 128 255
// about: unsigned arithmetic wraps
int wraps(unsigned char a, unsigned char b) {
    unsigned char sum = a + b;
    if (sum < a)
        return 1;
    unsigned big = (unsigned)a * 0x1010101u + 0xfffffff0u;
    return big < 16 ? 2 : 0;
}
