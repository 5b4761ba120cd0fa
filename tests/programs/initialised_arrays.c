// entry: f
// input: unsigned char a: all
// claim: paths
// about: clang fills what initialisers leave out in loops, which are no branches of the source
int f(unsigned char a) {
    char x[3][2] = {{a}, {a + 1}, {a}};
    struct { int c, d; } s[4] = {{1, a}, [2] = {.d = a}};
    if (x[a & 1][0] == 'r') return x[1][1] ? -1 : 1;
    return s[a & 3].d == 6 ? 2 : s[3].c;
}
