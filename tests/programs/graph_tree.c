// entry: entry
// input: struct tree *t: -> .left=-> self; .right=-> self; .key=0 1
// option: graph_depth=4
// graphs: 3
// about: trees and what is no tree: a node that both sides share, an ancestor below
struct tree { struct tree *left, *right; unsigned char key; };
int entry(struct tree *t) {
    if (!t || !t->left)
        return 0;
    if (t->left == t->right || t->left == t || t->right == t)
        return 1;
    if (t->left->key == t->key)
        return 2;
    struct tree *deep = t->left->right;
    if (!deep || deep == t)
        return 3;
    if (deep == t->left)
        return 4;
    return deep == t->right ? 5 : deep->key == t->key ? 6 : 7;
}
