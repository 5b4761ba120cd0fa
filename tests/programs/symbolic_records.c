// entry: total
// input: unsigned char i: all
// input: unsigned char j: 0..9
// claim: paths
// outcomes: returned out-of-bounds-read
// about: fields of records of 12 bytes, through a pointer with a symbolic offset that is moved, compared and subtracted
struct record {
    int key;
    short low;
    char flag;
    int value;
};
static struct record records[5] = {{1, 2, 0, 3}, {4, 5, 1, 6}, {7, 8, 0, 9}, {10, 11, 1, 12}, {13, 14, 0, 15}};
int total(unsigned char i, unsigned char j) {
    struct record *p = records + i % 5;
    if (p->flag)
        p++;
    if (p - records == 4)
        return p->value;
    records[4].low = 99;
    if (p + j >= records + 5)
        return -1;
    p += j;
    if (p->low == 99)
        return p->key + p[1].key;
    return p->value == 9;
}
