// entry: invert
// input: unsigned char x: 0..5
// input: unsigned char y: 0..5
// input: unsigned char z: 0..5
// claim: paths
// outcomes: returned
// about: the inverse of a permutation, if it is one
int invert(unsigned char x, unsigned char y, unsigned char z) {
    unsigned char p[3] = {x, y, z};
    signed char inverse[3] = {-1, -1, -1};
    for (int k = 0; k < 3; k++) {
        if (p[k] >= 3 || inverse[p[k]] >= 0)
            return -1;
        inverse[p[k]] = (signed char)k;
    }
    return inverse[0] == 2 && inverse[p[0]] == 0;
}
