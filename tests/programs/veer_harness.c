// entry: main
// harness: yes
// input: signed char x: all
// outcomes: returned assertion
// about: veer's own interface
#include <veer.h>
int main(void) {
    signed char x;
    veer_input(&x, sizeof x, "x");
    veer_assume(x != 0);
    if (x > 0)
        veer_assert(x != 100);
    return x == -5;
}
