// entry: find
// input: unsigned char a: 0..42
// input: unsigned char b: 0..42
// input: unsigned char wanted: all
// claim: paths
// about: a hash table with open addressing, its buckets computed
static unsigned char table[8];
static unsigned bucket_of(unsigned char key) { return (key * 5u + 3u) & 7u; }
static void put(unsigned char key) {
    unsigned k = bucket_of(key);
    if (table[k])
        k = (k + 1) & 7;
    table[k] = key;
}
int find(unsigned char a, unsigned char b, unsigned char wanted) {
    if (a > 40 || b > 40 || !a || !b || a == b)
        return -1;
    put(a);
    put(b);
    unsigned k = bucket_of(wanted);
    if (table[k] == wanted)
        return 1;
    return table[(k + 1) & 7] == wanted ? 2 : 0;
}
