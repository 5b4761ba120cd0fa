/* CUTE's list example: the fault needs a number that fits and a cell that is its own successor. The shape of the list
   is an input too: which of the two cells each pointer leads to, or none. */
#include <klee/klee.h>
#include <stdlib.h>

struct cell {
    int v;
    struct cell *next;
};

static int twice_plus_one(int v) { return 2 * v + 1; }

static int testme(struct cell *p, int x) {
    if (x > 0)
        if (p != NULL)
            if (twice_plus_one(x) == p->v)
                if (p->next == p)
                    return 1; /* the fault */
    return 0;
}

static struct cell *chosen(struct cell *cells, unsigned char shape) {
    if (shape == 0) return NULL;
    return shape == 1 ? &cells[0] : &cells[1];
}

int main(void) {
    struct cell cells[2] = {{0, NULL}, {0, NULL}};
    unsigned char shape[2];
    int x;
    klee_make_symbolic(&x, sizeof x, "x");
    klee_make_symbolic(&cells[0].v, sizeof cells[0].v, "v");
    klee_make_symbolic(shape, sizeof shape, "shape");
    cells[0].next = chosen(cells, shape[1]);
    return testme(chosen(cells, shape[0]), x);
}
