// entry: through
// input: unsigned char x: 0..255
// claim: none
// about: what inline assembly computes is not understood, and said so
int through(unsigned char x) {
    unsigned value = x;
    __asm__("addl $3, %0" : "+r"(value));
    if (value == 77)
        return 1;
    return x > 250;
}
