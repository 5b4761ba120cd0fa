// entry: gate
// paths: 5
// input: _Bool a: all
// input: _Bool b: all
// input: _Bool c: all
#include <stdbool.h>
int gate(bool a, bool b, bool c) {
    bool both = a && b;
    if (both || c)
        return a + 2 * b + 4 * c;
    return a ^ b;
}
