// entry: fetch
// option: no_check=all
// input: signed char i: all
// outcomes: returned out-of-bounds-read
static int table[3] = {1, 2, 3};
int fetch(signed char i) {
    if (i < -1 || i > 2)
        return 0;
    return table[i] > 1; /* i == -1 is one too few */
}
