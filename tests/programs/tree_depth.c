// entry: tree_depth
// input: struct tree *t: -> .left=-> self; .right=-> self
// option: graph_depth=2
// about: recursion on a recursive struct, bounded, so that cyclic graphs end too
struct tree { struct tree *left, *right; };
static int depth(struct tree *t, int bound) {
    if (!t || !bound)
        return 0;
    int l = depth(t->left, bound - 1), r = depth(t->right, bound - 1);
    return 1 + (l > r ? l : r);
}
int tree_depth(struct tree *t) { return depth(t, 3); }
