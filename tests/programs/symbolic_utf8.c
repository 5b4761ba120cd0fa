// entry: decode
// input: unsigned char a: all
// input: unsigned char b: all
// claim: paths
// about: UTF-8 of up to two bytes: the length of a sequence from a table
static const unsigned char length_of[256] = {
    [0x00 ... 0x7f] = 1, [0xc2 ... 0xdf] = 2, [0xe0 ... 0xef] = 3, [0xf0 ... 0xf4] = 4,
};
int decode(unsigned char a, unsigned char b) {
    unsigned length = length_of[a], code;
    if (length == 0)
        return -1;
    if (length == 1)
        return a == 'v';
    if (length > 2 || (b & 0xc0) != 0x80)
        return -2;
    code = (a & 0x1fu) << 6 | (b & 0x3fu);
    return code == 0xe9 ? 2 : 3;
}
