// entry: sort
// input: struct row r: .v[0]=0..2; .v[1]=0..2; .v[2]=0..2
// claim: paths
// about: bubble sort, asserts that it sorts
#include <assert.h>
struct row { int v[3]; };
int sort(struct row r) {
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2 - i; j++)
            if (r.v[j] > r.v[j + 1]) {
                int t = r.v[j];
                r.v[j] = r.v[j + 1];
                r.v[j + 1] = t;
            }
    assert(r.v[0] <= r.v[1] && r.v[1] <= r.v[2]);
    return r.v[1];
}
