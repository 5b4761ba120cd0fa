// entry: same
// paths: 5
// input: struct pair *p: -> .a=0..2; .b=0 1
// input: struct pair *q: -> .a=0..2; .b=0 1
// about: two pointers of one type: NULL, fresh, alias
struct pair { int a, b; };
int same(struct pair *p, struct pair *q) {
    if (!p || !q)
        return 0;
    if (p == q)
        return 1;
    return p->a == q->a ? 2 : 3;
}
