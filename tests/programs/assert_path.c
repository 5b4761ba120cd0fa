// entry: invariant
// input: signed char x: all
// outcomes: returned assertion
#include <assert.h>
int invariant(signed char x) {
    int y = x * x;
    assert(y >= 0);
    assert(x != 42);
    return y > 100;
}
