// entry: middle
// input: struct row r: .v[0]=0..3; .v[1]=0..3; .v[2]=0..3
// claim: paths
// about: the library calls back
#include <stdlib.h>
struct row { unsigned char v[3]; };
static int up(const void *a, const void *b) { return *(const unsigned char *)a - *(const unsigned char *)b; }
int middle(struct row r) {
    unsigned char key = 2;
    qsort(r.v, 3, 1, up);
    if (r.v[1] == 1)
        return 1;
    return bsearch(&key, r.v, 3, 1, up) != NULL ? 2 : 3;
}
