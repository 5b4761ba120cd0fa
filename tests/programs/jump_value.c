// entry: jump
// input: signed char x: all
// outcomes: returned
// about: what setjmp returns the second time is an input; 0 becomes 1
#include <setjmp.h>
static jmp_buf back;
static void away(int x) { longjmp(back, x); }
int jump(signed char x) {
    if (x < -3 || x > 6)
        return 0;
    int value = setjmp(back);
    if (value == 0)
        away(x);
    if (value == 5)
        return 50;
    return value == 1 ? 10 : value > 2;
}
