// entry: digits
// input: unsigned char x: all
// input: unsigned short y: 7 700 70
// claim: none
// about: how many characters printf writes follows from its arguments, which the machine is given: the ledger says so
#include <stdio.h>
int digits(unsigned char x, unsigned short y) {
    fprintf(stderr, "%d", x);
    if (x > 250)
        return 1;
    return fprintf(stderr, "%d", y) > 2 ? 2 : 3;
}
