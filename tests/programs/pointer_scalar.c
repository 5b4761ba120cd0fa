// entry: read_once
// input: const signed char *p: -> all
// paths: 4
int read_once(const signed char *p) {
    if (!p)
        return -1;
    if (*p > 100)
        return 1;
    return *p == -128 ? 2 : 0;
}
