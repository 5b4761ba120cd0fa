// entry: example
// option: uninstrumented=black_box
// about: LCT's example 7 (section 4.2): the prediction x > y' is made with a stale y'
int black_box(int y) {
    return y;
}

int example(int x, int y) {
    if (y > x) {
        if (x > black_box(y))
            return 1; /* no input leads here */
        return 2;
    }
    return 3;
}
