// entry: same
// input: number *p: -> 0..3
// input: int *q: -> 0..3
// outcomes: returned abort null-dereference
// paths: 4
// about: two names of one type: the second pointer may be the first
#include <stdlib.h>
typedef int number;
int same(number *p, int *q) {
    *p = 0;
    *q = 1;
    if (*p == 1)
        abort();
    return p == q;
}
