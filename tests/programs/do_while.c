// entry: digits
// input: unsigned short x: all
// paths: 5
int digits(unsigned short x) {
    int n = 0;
    do {
        n++;
        x /= 10;
    } while (x);
    return n;
}
