// entry: through
// input: int **pp: -> -> 0..6
// outcomes: returned abort null-dereference
// about: two pointers in a row
#include <stdlib.h>
int through(int **pp) {
    if (!*pp)
        return 0;
    if (**pp == 5)
        abort();
    return 1;
}
