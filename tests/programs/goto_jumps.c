// entry: machine
// input: unsigned char x: all
int machine(unsigned char x) {
    int steps = 0;
again:
    steps++;
    if (x > 200) {
        x -= 50;
        goto again;
    }
    if (x & 1)
        goto odd;
    return steps;
odd:
    return -steps;
}
