/* The memo of solutions: for a predicate over one leaf, the leaf's values for which it holds. */
#ifndef ENGINE_SOLUTIONS_H
#define ENGINE_SOLUTIONS_H
#include "places.h"
#include "veer_wire.h"

enum { SOLUTION_WORDS = 1 << 22 };

struct solutions_state {
    uint32_t top;
    uint32_t of[VEER_NODES_CAPACITY]; /* word of `words`, 0 = not yet, NONE = no such form */
    uint64_t words[SOLUTION_WORDS];   /* truth tables (byte_set.c) and lists of spans (preimage.c) */
};
ENGINE_STATE_FITS(solutions);
#define SOLUTIONS ENGINE_STATE(solutions)

void veer_solutions_attach(void);
#endif
