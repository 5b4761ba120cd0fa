// entry: wide
// outcomes: stack-overflow|memory-limit|returned
// about: one frame that is larger than the stack
int wide(unsigned char x) {
    if (x == 42) {
        volatile char huge[1 << 29];
        huge[0] = 1;
        huge[(1 << 29) - 1] = 2;
        return huge[0];
    }
    if (x < 10)
        return 1;
    return 2;
}
