// entry: order
// input: struct row r: .v[0]=0..2; .v[1]=0..2; .v[2]=0..2
// about: a comparison through a function pointer
struct row { unsigned char v[3]; };
static int up(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
static void insertion(unsigned char *v, int n, int (*compare)(const void *, const void *)) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && compare(&v[j - 1], &v[j]) > 0; j--) {
            unsigned char t = v[j];
            v[j] = v[j - 1];
            v[j - 1] = t;
        }
}
int order(struct row r) {
    insertion(r.v, 3, up);
    return r.v[0] == r.v[2];
}
