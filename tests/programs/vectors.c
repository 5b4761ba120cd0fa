// entry: lanes
// input: signed char x: all
// input: unsigned char i: 0..4
// claim: paths
// about: vectors lane by lane: arithmetic, comparisons, shuffles, a lane that an index picks, vectors in memory
typedef int four __attribute__((vector_size(16)));
static four kept;
static four twice(four a) { return a + a; }
int lanes(signed char x, unsigned char i) {
    if (i > 3)
        return 0;
    four a = {x, 1, 2, 3}, b = {5, 6, 7, 8};
    kept = twice(a * b) + (a > b);
    four turned = __builtin_shufflevector(kept, a, 3, 0, 4, 1);
    if (turned[1] == 499)
        return 1;
    if (kept[i] == 28)
        return 2;
    turned[i] = x;
    return turned[2] == -7 ? 3 : 4;
}
