// entry: shared
// input: struct node *p: -> .left=-> self; .right=-> self; .mark=0 1
// option: graph_depth=3
// about: a DAG: both sides of a node may lead to one node; writes through one side are seen through the other
struct node { struct node *left, *right; unsigned char mark; };
int shared(struct node *p) {
    if (!p || !p->left || !p->right)
        return 0;
    p->left->mark = 0;
    p->right->mark = 1;
    if (p->left->mark == 1)
        return p->left == p ? 1 : 2;
    return p->left == p->right ? 3 : 4;
}
