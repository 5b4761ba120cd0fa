// entry: f
// input: unsigned char p: all
// input: unsigned char q: 0 9 10 255
// outcomes: returned
// paths: 4
// about: which function a table leads to is a part of the path, though no branch tells
static int a(int x) { return x + 1; }
static int b(int x) { return 0 * x; }
static int (*const tab[2])(int) = {a, b};
int f(unsigned char p, unsigned char q) {
    int r = 0;
    if (q > 9) r = 1;
    r += tab[p & 1](5);
    return r;
}
