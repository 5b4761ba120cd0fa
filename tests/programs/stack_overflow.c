// entry: dive
// input: unsigned char x: all
// outcomes: returned stack-overflow
// about: endless recursion for one input
static int down(unsigned x, unsigned n) { return x == 7 ? down(x, n + 1) + 1 : (int)n; }
int dive(unsigned char x) { return x > 100 ? -1 : down(x, 0); }
