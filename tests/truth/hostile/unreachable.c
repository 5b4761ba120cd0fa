// entry: promise
// outcomes: unreachable|illegal-instruction|undefined
int promise(unsigned char x) {
    if (x == 5)
        __builtin_trap();
    if (x > 100)
        return 1;
    return 0;
}
