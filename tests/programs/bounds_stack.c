// entry: store
// option: no_check=all
// input: unsigned char i: all
// outcomes: returned out-of-bounds-write
int store(unsigned char i) {
    int v[4] = {0};
    if (i > 4)
        return -1;
    v[i] = 1; /* i == 4 is one too many */
    return v[0];
}
