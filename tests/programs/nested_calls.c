// entry: outer
// input: signed char x: all
static int inner(int x, int y) {
    if (x > y)
        return x - y;
    return 0;
}
static int middle(int x) { return inner(x, 10) + inner(x, 100); }
int outer(signed char x) {
    if (middle(x) > 100)
        return 1;
    return middle(x) == 0;
}
