/* Red-black trees (Okasaki's insertion). SEEDED: one of the four rotations hangs a subtree in twice. */
#include <assert.h>
#include <stdlib.h>

struct tree {
    int key;
    unsigned char red;
    struct tree *left, *right;
};

/* The black height of a valid subtree with keys between two bounds, or -1; `left` counts the nodes down. */
static int height(const struct tree *tree, const struct tree *low, const struct tree *high, int *left)
{
    if (!tree) return 0;
    if (--*left < 0 || tree->red > 1) return -1;
    if ((low && tree->key <= low->key) || (high && tree->key >= high->key)) return -1;
    int below = height(tree->left, low, tree, left);
    if (below < 0) return -1;
    if (height(tree->right, tree, high, left) != below) return -1;
    if (tree->red) {
        if (tree->left && tree->left->red) return -1;
        if (tree->right && tree->right->red) return -1;
        return below;
    }
    return below + 1;
}

/* repOK: a red-black tree with at most 5 nodes. */
int tree_ok(const struct tree *tree)
{
    int left = 5;
    if (tree && tree->red) return 0;
    return height(tree, NULL, NULL, &left) >= 0;
}

int tree_exists(const struct tree *tree) { return tree != NULL; }

int tree_member(const struct tree *tree, int key)
{
    while (tree && tree->key != key) tree = key < tree->key ? tree->left : tree->right;
    return tree != NULL;
}

static int is_red(const struct tree *tree) { return tree && tree->red; }

static struct tree *joined(struct tree *left, struct tree *middle, struct tree *right, struct tree *parts[4])
{
    left->left = parts[0];
    left->right = parts[1];
    right->left = parts[2];
    right->right = parts[3];
    middle->left = left;
    middle->right = right;
    left->red = right->red = 0;
    middle->red = 1;
    return middle;
}

static struct tree *balanced(struct tree *top)
{
    struct tree *left = top->left, *right = top->right;
    if (top->red) return top;
    if (is_red(left) && is_red(left->left)) {
        struct tree *parts[4] = {left->left->left, left->left->right, left->right, right};
        return joined(left->left, left, top, parts);
    }
    if (is_red(left) && is_red(left->right)) {
        struct tree *middle = left->right;
        struct tree *parts[4] = {left->left, middle->left, middle->right, right};
#ifdef SEEDED
        parts[2] = top;
#endif
        return joined(left, middle, top, parts);
    }
    if (is_red(right) && is_red(right->left)) {
        struct tree *middle = right->left;
        struct tree *parts[4] = {left, middle->left, middle->right, right->right};
        return joined(top, middle, right, parts);
    }
    if (is_red(right) && is_red(right->right)) {
        struct tree *parts[4] = {left, right->left, right->right->left, right->right->right};
        return joined(top, right, right->right, parts);
    }
    return top;
}

static struct tree *inserted(struct tree *tree, int key)
{
    if (!tree) {
        tree = calloc(1, sizeof *tree);
        if (!tree) abort();
        tree->key = key;
        tree->red = 1;
    } else if (key < tree->key) {
        tree->left = inserted(tree->left, key);
    } else if (key > tree->key) {
        tree->right = inserted(tree->right, key);
    } else {
        return tree;
    }
    return balanced(tree);
}

/* The tree with the key; it is a red-black tree again. */
struct tree *tree_insert(struct tree *tree, int key)
{
    int left = 6;
    tree = inserted(tree, key);
    tree->red = 0;
    assert(height(tree, NULL, NULL, &left) >= 0);
    return tree;
}
