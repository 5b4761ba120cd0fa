// entry: sort_pairs
// input: struct row r: .k[0]=0..2; .k[1]=0..2; .k[2]=0..2
// about: the comparator of qsort is called by the library with pointers to whole records
#include <stdlib.h>
struct row { unsigned char k[3]; };
struct record { unsigned char key; int place; };
static int by_key(const void *a, const void *b) {
    const struct record *left = a, *right = b;
    if (left->key != right->key)
        return left->key < right->key ? 1 : -1;
    return left->place - right->place;
}
int sort_pairs(struct row r) {
    struct record records[3];
    for (int i = 0; i < 3; i++)
        records[i] = (struct record){r.k[i], i};
    qsort(records, 3, sizeof *records, by_key);
    return records[0].place * 9 + records[1].place * 3 + records[2].place;
}
