// entry: linked
// input: struct node *p: -> .next=-> self; .prev=-> self
// option: graph_depth=2
// outcomes: returned
// about: all graphs of up to two levels with two links a node: chains, cycles, shared nodes
struct node { struct node *next, *prev; };
int linked(struct node *p) {
    if (!p || p->prev)
        return 0;
    for (int k = 0; k < 3 && p->next; k++, p = p->next)
        if (p->next->prev != p)
            return 1;
    return 2;
}
