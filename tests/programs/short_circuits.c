// entry: mixed
// input: signed char a: all
// input: signed char b: -1 0 1 2 5 6 50 51 127 -128
// about: && || ! ?: nested
int mixed(signed char a, signed char b) {
    if ((a > 10 && b < 2) || (a < -10 && !(b > 5)) || a == b)
        return a > 50 ? 1 : b ? 2 : 3;
    return !a && (b == 6 || b == 51);
}
