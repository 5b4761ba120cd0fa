// entry: testme
// about: the introductory example of CUTE (section 2): the error needs a cell that points to itself
#include <stdlib.h>

struct cell {
    int value;
    struct cell *next;
};

static int scramble(int v) {
    return 2 * v + 1;
}

int testme(struct cell *p, int x) {
    if (x > 0)
        if (p != NULL)
            if (scramble(x) == p->value)
                if (p->next == p)
                    abort();
    return 0;
}
