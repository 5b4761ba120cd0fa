// entry: sum
// input: struct cell *p: -> .v=0 1 2; .next=-> self
// about: a walk that a counter bounds: cycles end too
struct cell { int v; struct cell *next; };
int sum(struct cell *p) {
    int total = 0;
    for (int i = 0; i < 4 && p; i++, p = p->next)
        total += p->v > 1;
    return total;
}
