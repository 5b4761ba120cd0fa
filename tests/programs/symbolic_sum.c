// entry: digit
// input: struct word w: .c[0]=0..1; .c[1]=0..1; .c[2]=0..1; .c[3]=0..1; .c[4]=0..1; .c[5]=0..1; .c[6]=0..1; .c[7]=0..1; .c[8]=0..1; .c[9]=0..1; .c[10]=0..1; .c[11]=0..1
// claim: paths
// about: an index that is a sum of many terms
struct word {
    unsigned char c[12];
};
static const unsigned char table[11] = {1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6};
int digit(struct word w) {
    const unsigned char *p = table;
    for (int k = 0; k < 12; k++)
        p += w.c[k] & 1;
    if (p > table + 10)
        return -2;
    return *p == 5 ? 1 : 0;
}
