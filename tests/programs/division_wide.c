// entry: quotient
// input: int a: -2147483648 -7 0 7 100
// input: int b: -1 0 2
// outcomes: returned division
// about: INT_MIN / -1 traps as well
int quotient(int a, int b) {
    int q = a / b;
    return q == 50 ? 1 : 0;
}
