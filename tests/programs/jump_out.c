// entry: climb
// input: signed char x: all
// input: unsigned char depth: 0..3
// about: longjmp out of nested calls leaves symbolic locals as they are
#include <setjmp.h>
static jmp_buf back;
static int level;
static void down(int x, unsigned depth) {
    level = x + (int)depth;
    if (depth == 0 && x < 0)
        longjmp(back, 2);
    if (depth > 0)
        down(x - 1, depth - 1);
}
int climb(signed char x, unsigned char depth) {
    volatile int kept = x;
    if (setjmp(back) != 0)
        return level == -5 ? 1 : kept > 0 ? 2 : 3;
    down(x, depth & 3);
    return kept == 100 ? 4 : 5;
}
