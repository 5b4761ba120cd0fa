// entry: quotient
// input: int a: -2147483648 -2147483647 -1 0 1 2147483647
// input: int b: -2147483648 -1 0 1 3
// outcomes: returned division
int quotient(int a, int b) {
    if (a > 0)
        return a / b > 5 ? 1 : 2;
    return a % b == -1 ? 3 : 4;
}
