/* The list example that concolic testing is explained with: the fault needs a number that fits and a cell that is its own
 * successor. Random input practically never finds either.
 *
 *     veer test examples/testme.c --entry testme
 */
#include <stdlib.h>

struct cell {
    int v;
    struct cell *next;
};

static int twice_plus_one(int v)
{
    return 2 * v + 1;
}

int testme(struct cell *p, int x)
{
    if (x > 0)
        if (p != NULL)
            if (twice_plus_one(x) == p->v)
                if (p->next == p)
                    abort(); /* the fault */
    return 0;
}
