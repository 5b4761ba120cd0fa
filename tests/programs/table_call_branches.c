// entry: g
// input: unsigned char p: all
// input: unsigned char q: 0 9 10 255
// outcomes: returned
// paths: 4
// about: a table's functions have branches of their own, taken with constants
static int c(int x) { if (x > 3) return 1; return 2; }
static int d(int x) { if (x > 7) return 3; return 4; }
static int (*const tab2[2])(int) = {c, d};
int g(unsigned char p, unsigned char q) {
    int r = 0;
    if (q > 9) r = 1;
    r += tab2[p & 1](5);
    return r;
}
