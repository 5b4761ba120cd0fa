// entry: entry
// input: struct node *p: -> .next=-> self; .prev=-> self
// option: graph_depth=4
// graphs: 4
// about: an invariant over every graph with two links a node: only doubly linked lists are let through
struct node { struct node *next, *prev; };
static int valid(struct node *p) {
    if (!p || p->prev)
        return 0;
    for (int k = 0; k < 2 && p->next; k++, p = p->next)
        if (p->next->prev != p)
            return 0;
    return !p->next;
}
int entry(struct node *p) {
    if (!valid(p))
        return -1;
    struct node *rest = p->next;
    if (!rest)
        return 1;
    p->next = rest->next;
    if (p->next)
        p->next->prev = p;
    return valid(p) ? 2 : 3;
}
