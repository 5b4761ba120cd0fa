// entry: entry
// input: struct table *t: -> .slot[0]=-> .v=0 1; .slot[1]=-> .v=0 1; .slot[2]=-> .v=0 1
// input: unsigned char at: 0..3
// option: graph_depth=4
// graphs: 4
// about: an array of pointers: NULL, different cells, one cell twice; a symbolic index among them
struct cell { unsigned char v; };
struct table { struct cell *slot[3]; };
int entry(struct table *t, unsigned char at) {
    if (!t || at > 2)
        return -1;
    struct cell *c = t->slot[at];
    if (!c)
        return 0;
    c->v = 1;
    int same = 0;
    for (int k = 0; k < 3; k++)
        if (t->slot[k] == c)
            same++;
    return t->slot[0] && t->slot[0]->v ? 10 + same : same;
}
