// entry: collide
// input: unsigned char i: all
// input: unsigned char j: all
// claim: paths
// paths: 4
// about: two writes at symbolic indices, the second seen through the first
int collide(unsigned char i, unsigned char j) {
    unsigned char a[200] = {7};
    if (i >= 200 || j >= 200)
        return -1;
    a[i] = 0;
    a[j] = 1;
    return a[i] == 0 ? 1 : 2;
}
