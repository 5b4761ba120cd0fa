// entry: ninety_one
// input: unsigned char n: all
// about: McCarthy's 91: nested recursion
static int m(int n) { return n > 100 ? n - 10 : m(m(n + 11)); }
int ninety_one(unsigned char n) {
    if (n < 90)
        return 0;
    return m(n);
}
