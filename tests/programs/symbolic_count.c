// entry: most
// input: unsigned char a: all
// input: unsigned char b: 0..40
// input: unsigned char c: 0..3
// claim: paths
// about: counting with computed indices, the counts compared
int most(unsigned char a, unsigned char b, unsigned char c) {
    int counts[8] = {0};
    counts[a % 8]++;
    counts[b & 7]++;
    counts[c % 4]++;
    if (counts[2] == 3)
        return 1;
    return counts[a % 8] == 2 ? 2 : 3;
}
