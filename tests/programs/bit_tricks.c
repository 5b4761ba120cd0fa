// entry: tricks
// input: unsigned char x: all
int tricks(unsigned char x) {
    if (x && !(x & (x - 1)))
        return 1;
    unsigned v = x;
    v = (v & 0x55) + ((v >> 1) & 0x55);
    v = (v & 0x33) + ((v >> 2) & 0x33);
    v = (v & 0x0f) + (v >> 4);
    return v == 7 ? 2 : v == 0 ? 3 : 4;
}
