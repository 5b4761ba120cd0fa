// entry: entry
// input: struct pair *p: -> .other=-> self; .v=0..2
// input: struct pair *q: -> .other=-> self; .v=0..2
// option: graph_depth=4
// graphs: 4
// outcomes: returned abort null-dereference
// about: two pointers that may be one object, or lead into each other's graph (CUTE section 3.7's miss, and beyond)
#include <stdlib.h>
struct pair { struct pair *other; unsigned char v; };
int entry(struct pair *p, struct pair *q) {
    p->v = 0;
    q->v = 1;
    if (p->v == 1)
        abort();
    if (p->other == q)
        return q->other == p ? 1 : 2;
    p->other->v = 2;
    if (q->v == 2)
        return 9;
    return q->other && q->other->v == 2 ? 4 : 5;
}
