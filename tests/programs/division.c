// entry: ratio
// input: signed char a: all
// input: signed char b: -128 -1 0 1 3
// outcomes: returned division
int ratio(signed char a, signed char b) {
    int q = a / b;
    if (q > 10)
        return 1;
    return a % b == 2 ? 2 : 0;
}
