// entry: lookup
// paths: 4
// input: unsigned char i: all
// about: a read at a symbolic index, guarded
static const signed char table[8] = {3, -1, 4, 1, -5, 9, 2, 6};
int lookup(unsigned char i) {
    if (i >= 8)
        return 100;
    if (table[i] < 0)
        return -1;
    return table[i] == 9 ? 1 : 0;
}
