// entry: halves
// input: short x: all
// about: signed division and shift round differently
int halves(short x) {
    int a = x / 2, b = x >> 1;
    if (a != b)
        return x < -30000 ? 3 : 2;
    return a > 12345;
}
