// entry: third
// input: short *v: count 3 of 0 7
// input: short *w: count 3 of 0 7
// outcomes: returned null-dereference out-of-bounds-read
// about: how many elements a pointer leads to is an input, and no path splits before the second one is touched
int third(short *v, short *w) {
    if (v[0] == 7)
        return 1;
    if (!w || v[2] == 7)
        return 2;
    return w == v ? w[1] == 7 : 4;
}
