// entry: same
// input: int *p: -> 0..3
// input: int *q: -> 0..3
// outcomes: returned abort null-dereference
// paths: 4
// about: the miss that CUTE states (section 3.3): the second pointer may be the first, also when neither is compared
#include <stdlib.h>
int same(int *p, int *q) {
    *p = 0;
    *q = 1;
    if (*p == 1)
        abort();
    if (p == q)
        return 1;
    return 0;
}
