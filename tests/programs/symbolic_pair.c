// entry: sum
// input: unsigned char i: all
// input: unsigned char j: 0..7
// claim: paths
// about: whole structs are read and written at symbolic indices
struct pair {
    int left;
    int right;
};
static struct pair get(struct pair *pairs, unsigned k) { return pairs[k]; }
int sum(unsigned char i, unsigned char j) {
    struct pair pairs[6] = {{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}};
    if (i >= 6 || j >= 6)
        return -1;
    pairs[j] = get(pairs, i);
    struct pair p = get(pairs, 2);
    return p.left + p.right == 11 ? 1 : pairs[i].right == 4;
}
