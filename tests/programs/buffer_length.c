// entry: count_ones
// input: const unsigned char *data: buffer n 3 of 0..2
// input: int n: 0..3
// option: max_length=3
// about: a buffer and its length
int count_ones(const unsigned char *data, int n) {
    int ones = 0;
    if (!data)
        return -1;
    for (int i = 0; i < n; i++)
        if (data[i] == 1)
            ones++;
    return ones;
}
