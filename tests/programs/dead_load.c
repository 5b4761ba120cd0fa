// entry: decides
// input: signed char a: all
// input: signed char b: 0 1
// about: the first load's value is not used; in the copy for concrete data the second one has to look for a symbolic value
static int g;
static int sign(int known) {
    int unused = known;
    unused = g;
    if (g > known)
        return 1;
    return 2;
}
int decides(signed char a, signed char b) {
    if (b)
        g = a | 10;
    return sign(0);
}
