// entry: overlap
// input: struct span a: .from=all; .to=0 5 255
// about: a struct of two bytes travels in a register
struct span { unsigned char from, to; };
static int length(struct span s) { return s.to - s.from; }
int overlap(struct span a) {
    int n = length(a);
    if (n < 0)
        return -1;
    return n > 3 ? 2 : n == 0;
}
