// entry: dig
// outcomes: stack-overflow
static int deeper(volatile int *up) {
    volatile int here[64];
    here[0] = *up + 1;
    return deeper(here) + here[0];
}
int dig(unsigned char x) {
    volatile int start = 0;
    if (x == 42)
        return deeper(&start);
    if (x < 10)
        return 1;
    return 2;
}
