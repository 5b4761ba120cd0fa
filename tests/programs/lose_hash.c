// entry: obscure
// input: int x: 0 1 5 10
// input: int y: 0 1 2
// option: uninstrumented=hash
// claim: none
// about: DART's obscure: the hash has no symbolic meaning
int hash(int y) { return (y * 5) % 1000; }
int obscure(int x, int y) {
    if (x == hash(y))
        return -1;
    return 0;
}
