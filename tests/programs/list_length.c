// entry: length
// input: struct cell *p: -> .v=0 1 2; .next=-> self
// option: graph_depth=2
// outcomes: returned hang
struct cell { int v; struct cell *next; };
int length(struct cell *p) {
    int n = 0;
    while (p) {
        if (p->v == 1)
            return 100 + n;
        n++;
        p = p->next;
    }
    return n;
}
