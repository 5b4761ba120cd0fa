// entry: pick
// input: signed char i: -2..11
// claim: paths
// outcomes: returned undefined
// about: a read at a symbolic index without a test of it
int pick(signed char i) {
    int a[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 3};
    return a[i] == 9;
}
