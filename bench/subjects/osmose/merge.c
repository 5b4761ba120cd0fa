/* After OSMOSE's "merge": 24 branches in the paper, 3 functions, call depth 1. Two sorted runs become one. */
enum { EACH = 4 };

static int is_sorted(const signed char *run) {
    for (int k = 1; k < EACH; k++)
        if (run[k - 1] > run[k])
            return 0;
    return 1;
}

static signed char larger(signed char x, signed char y) {
    if (x > y)
        return x;
    return y;
}

struct run {
    signed char at[EACH];
};

int merge(struct run first, struct run second) {
    signed char merged[2 * EACH];
    int a = 0, b = 0, n = 0;
    if (!is_sorted(first.at) || !is_sorted(second.at))
        return -1;
    while (a < EACH && b < EACH) {
        if (first.at[a] <= second.at[b])
            merged[n++] = first.at[a++];
        else
            merged[n++] = second.at[b++];
    }
    while (a < EACH)
        merged[n++] = first.at[a++];
    while (b < EACH)
        merged[n++] = second.at[b++];
    return merged[n - 1] == larger(first.at[EACH - 1], second.at[EACH - 1]) ? n : -2;
}
