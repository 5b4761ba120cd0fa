// entry: leave
// input: unsigned char x: all
// outcomes: returned exited
#include <stdlib.h>
int leave(unsigned char x) {
    if (x == 3)
        exit(2);
    if (x > 200)
        exit(0);
    return x & 1 ? 1 : 0;
}
