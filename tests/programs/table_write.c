// entry: mark
// input: unsigned char i: all
// about: a write at a symbolic index, read back
int mark(unsigned char i) {
    char seen[4] = {0};
    seen[i & 3] = 1;
    if (seen[2])
        return 1;
    return seen[0] ? 2 : 0;
}
