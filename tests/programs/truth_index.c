// entry: pick
// input: _Bool a: all
// input: signed char b: -1 0 1 2
// about: a truth value as an index of a local array is no branch of the source, a choice is one
int pick(_Bool a, signed char b) {
    int cells[4] = {3, -1, 7, 0};
    cells[a] = b;
    if (cells[b > 0] == 2)
        return 1;
    return cells[a] + cells[!a] + cells[b < 0 ? 2L : 3L];
}
