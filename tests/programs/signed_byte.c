// entry: sign
// input: signed char x: all
// paths: 4
int sign(signed char x) {
    if (x < 0)
        return -1;
    if (x == 0)
        return 0;
    if (x > 126)
        return 2;
    return 1;
}
