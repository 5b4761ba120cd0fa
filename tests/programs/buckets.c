// entry: find
// input: struct table *t: -> .bucket[0]=-> .key=0..3; .bucket[1]=-> .key=0..3
// input: unsigned char key: all
// option: graph_depth=2
// outcomes: returned abort
// about: an array of pointers within a struct, two of which may be one
#include <stdlib.h>
struct cell { unsigned char key; };
struct table { struct cell *bucket[2]; };
int find(struct table *t, unsigned char key) {
    if (!t)
        return -1;
    struct cell *c = t->bucket[key & 1];
    if (c && c == t->bucket[~key & 1])
        abort();
    return c && c->key == key;
}
