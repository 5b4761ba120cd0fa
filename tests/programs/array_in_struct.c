// entry: peak
// input: struct row row: .v[0]=-3..3; .v[1]=-3..3; .v[2]=-3..3
// about: an array in a struct by value, a loop over it
struct row { signed char v[3]; };
int peak(struct row row) {
    int best = 0;
    for (int i = 1; i < 3; i++)
        if (row.v[i] > row.v[best])
            best = i;
    return best;
}
