// entry: scatter
// outcomes: wild-pointer
int scatter(unsigned long x) {
    if (x == 0x123456789abcul)
        *(int *)x = 1;
    if (x > 1000)
        return 1;
    if (x == 77)
        return 2;
    return 3;
}
