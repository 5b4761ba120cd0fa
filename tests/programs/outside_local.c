// entry: h
// input: unsigned char p0: all
// claim: paths
// outcomes: returned undefined
// about: an index behind a local array, which lands in the next one
int h(unsigned char p0) {
    static int other[100];
    int t[4] = {1, 2, 3, 4}, big[100] = {0};
    int i = 3;
    if (p0 > 7) { i = 40; }
    t[i] = 5;
    return other[1] + big[2];
}
