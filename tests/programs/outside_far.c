// entry: g
// input: unsigned char p0: all
// claim: paths
// outcomes: returned undefined
// about: a constant index behind an array, which lands in another variable, written and read
static int garr[4] = {1, 2, 3, 4};
static int pad[200];
int g(unsigned char p0) {
    if (p0 > 7) { garr[20] = p0; return garr[20]; }
    return garr[0] + pad[3];
}
