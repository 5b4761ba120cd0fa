// entry: widest
// input: union word w: .whole=0 1 255 511 65792 4294967295
// about: a union whose first member is not its widest: all values of the widest are tried
union word { unsigned char low; unsigned whole; unsigned short half; };
int widest(union word w) {
    if (w.whole == 65792)
        return 2;
    if (w.half == 511)
        return 3;
    return w.low == 1;
}
