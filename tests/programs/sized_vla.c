// entry: reverse
// option: no_check=all
// input: unsigned char n: 0..11
// input: unsigned char i: 0..11
// claim: paths
// outcomes: returned out-of-bounds-read
// about: an array of variable length, an index that the length does not bound
int reverse(unsigned char n, unsigned char i) {
    if (n < 1 || n > 9 || i > 9)
        return -1;
    int a[n];
    for (int k = 0; k < n; k++)
        a[k] = n - k;
    if (a[i] == 3)
        return 1;
    return n > 4 ? a[4] : 0;
}
