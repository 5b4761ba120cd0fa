/* After OSMOSE's "merge": 24 branches, 3 functions, call depth 1. Two sorted runs become one, of values that are bounded. */
enum { EACH = 3, LEAST = -50, MOST = 50 };

static int bounded(int x) {
    if (x < LEAST)
        return LEAST;
    if (x > MOST)
        return MOST;
    return x;
}

static int larger(int x, int y) {
    if (x > y)
        return x;
    return y;
}

struct run {
    signed char at[EACH];
};

int merge(struct run first, struct run second) {
    int merged[2 * EACH];
    int a = 0, b = 0, n = 0;
    for (int k = 1; k < EACH; k++)
        if (first.at[k - 1] > first.at[k])
            return -1;
    for (int k = 1; k < EACH; k++)
        if (second.at[k - 1] > second.at[k])
            return -2;
    while (a < EACH && b < EACH) {
        if (first.at[a] <= second.at[b])
            merged[n++] = bounded(first.at[a++]);
        else
            merged[n++] = bounded(second.at[b++]);
    }
    while (a < EACH)
        merged[n++] = bounded(first.at[a++]);
    while (b < EACH)
        merged[n++] = bounded(second.at[b++]);
    return larger(merged[0] + merged[n - 1], 0);
}
