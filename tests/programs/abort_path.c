// entry: guard
// input: unsigned char x: all
// outcomes: returned abort
#include <stdlib.h>
int guard(unsigned char x) {
    if (x * 3 == 99)
        abort();
    return x > 33;
}
