// entry: power
// input: unsigned long a: 0 1 2 3 4 5 6 7 8 9 10 11 18446744073709551557 18446744073709551615
// claim: any
// about: products modulo a word, as number theory uses them
static unsigned long product(unsigned long a, unsigned long b, unsigned long m) {
    return (unsigned long)((unsigned __int128)a * b % m);
}
int power(unsigned long a) {
    if (product(a, a, 18446744073709551557ul) == 16)
        return 1;
    if (product(a, a, 18446744073709551557ul) == 25)
        return 4;
    return product(a, 3, 10) == 7 ? 2 : 3;
}
