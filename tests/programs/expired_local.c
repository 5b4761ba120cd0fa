// entry: dangling
// input: unsigned char x: all
// outcomes: returned use-after-free
static int *escaped;
static void keep(void) {
    int local = 5;
    escaped = &local;
}
int dangling(unsigned char x) {
    keep();
    if (x == 9)
        return *escaped;
    return 1;
}
