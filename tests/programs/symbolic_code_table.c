// entry: decode
// claim: paths
// outcomes: returned
// input: unsigned char width: 0..6
// input: unsigned char bits: all
// about: the table of widths is itself written at a symbolic index and with symbolic values before bits are shifted by its entries
int decode(unsigned char width, unsigned char bits) {
    unsigned char widths[4] = {1, 2, 3, 1};
    if (width > 5)
        return -1;
    widths[bits & 3] = (unsigned char)(width + 1);
    unsigned hold = bits;
    int count = 0;
    while (hold && count < 3) {
        unsigned step = widths[hold & 3];
        hold >>= step;
        if (hold & 1)
            return 10 + count;
        count++;
    }
    return hold ? 1 : count;
}
