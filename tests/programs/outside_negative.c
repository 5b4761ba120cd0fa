// entry: f
// input: unsigned char p0: all
// claim: paths
// outcomes: returned undefined
// about: a constant index in front of an array, which lands in another variable
static int garr[4] = {1, 2, 3, 4};
static int pad[200];
int f(unsigned char p0) {
    if (p0) { garr[-96] = !p0; pad[0] = 1; }
    return garr[0] + pad[3];
}
