// entry: f
// input: unsigned char x: all
// claim: paths
// outcomes: division
// about: every run ends at a division; nothing behind it is reached
static unsigned char zero;
int f(unsigned char x) {
    int q = 1 / zero;
    if (x > 5) return q + 3;
    return q + 4;
}
