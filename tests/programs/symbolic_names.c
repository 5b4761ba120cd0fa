// entry: letter
// input: unsigned char i: all
// input: unsigned char j: 0..9
// claim: paths
// outcomes: returned out-of-bounds-read
// about: a table of pointers to strings of different lengths
static const char *const names[4] = {"one", "three", "eleven", "x"};
int letter(unsigned char i, unsigned char j) {
    if (i >= 4)
        return -1;
    return names[i][j] == 'e';
}
