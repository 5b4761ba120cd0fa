// entry: spin
// input: unsigned char x: all
// outcomes: returned hang
int spin(unsigned char x) {
    unsigned char y = x;
    while (y != 0)
        y = (unsigned char)(y - (x == 77 ? 0 : y));
    return x > 5;
}
