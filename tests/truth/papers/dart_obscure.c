// entry: obscure
// option: uninstrumented=hash
// about: DART's example of a constraint that has no symbolic meaning: its concrete value serves
int hash(int y) {
    return (int)((unsigned)y * 2654435761u >> 16);
}

int obscure(int x, int y) {
    if (x == hash(y))
        return -1;
    return 0;
}
