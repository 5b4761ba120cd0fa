// entry: apart
// input: signed char a: all
// input: signed char b: -128 -1 0 4 127
// about: abs and labs, whose overflow is checked, are no branches of the source
#include <stdlib.h>
int apart(signed char a, signed char b) {
    if (abs(a - b) > 5)
        return 1;
    if (labs(a) == 3)
        return 2;
    return a >= abs(b) ? 3 : 4;
}
