// entry: read_once
// input: const short *p: -> all
// paths: 4
int read_once(const short *p) {
    if (!p)
        return -1;
    if (*p > 100)
        return 1;
    return *p == -128 ? 2 : 0;
}
