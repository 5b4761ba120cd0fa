// entry: changed
// input: unsigned char x: all
// input: unsigned char y: all
// outcomes: returned
// about: what is loaded again was written through another pointer, or not
static unsigned char *pick(unsigned char *cells, unsigned char x) { return x > 5 ? cells : cells + 1; }
int changed(unsigned char x, unsigned char y) {
    unsigned char cells[2] = {x, y}, *p = cells, *q = pick(cells, x);
    int result = 0;
    if (p[0] > 10)
        result |= 1;
    *q = 7;
    if (p[0] > 10)
        result |= 2;
    p[1]++;
    if (p[0] == 7 && p[1] == 8)
        result |= 4;
    for (int k = 0; k < 2 && p[k] > 3; k++)
        if (p[k] == y)
            result |= 8 << k;
    return result;
}
