// entry: spill
// option: no_check=array-bounds
// outcomes: out-of-bounds-write
// about: a global buffer is overflown by 4 KiB
static char before[64], buffer[16], after[64];
int spill(unsigned char x) {
    int n = x == 200 ? 16 + 4096 : 16;
    for (int i = 0; i < n; i++)
        buffer[i] = (char)x;
    if (x > 100)
        return before[0] + after[0];
    return x == 3;
}
