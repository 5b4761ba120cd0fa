/* Two leaves: a literal over exactly two narrow ones is tried with all that their domains leave, 65,536 pairs at most,
   together with the slice's other constraints over these two. That no pair is left proves unsat however large the
   slice is; a pair is an answer if the whole slice holds. */
#include "pairs.h"
#include "grid.h"
#include "node.h"
#include "slice.h"
#include "support.h"
#include "trail.h"
#include "veer_shared.h"

enum { CANDIDATES = 64 };

/* Enters what the slice says of the two leaves alone. */
static void add_residuals(struct grid *grid, uint32_t support)
{
    const struct slice *slice = SLICE;
    for (uint32_t i = 0; i < slice->residual_count; i++) {
        const struct residual *residual = &TRAIL->residuals[slice->residuals[i]];
        if (node_of(residual->literal)->support == support)
            veer_grid_literal(grid, residual->literal, residual->want); /* without room: one that is not looked at */
    }
}

enum verdict veer_rung_pairs(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    const struct slice *slice = SLICE;
    const uint32_t *leaves;
    uint32_t single, support = node_of(literal)->support;
    if (veer_support_leaves(support, &leaves, &single) != 2 || VEER_LEAVES[leaves[0]].width > 8 ||
        VEER_LEAVES[leaves[1]].width > 8)
        return VERDICT_UNKNOWN;
    struct grid grid;
    grid.axis_count = grid.literal_count = 0;
    veer_grid_literal(&grid, literal, want);
    add_residuals(&grid, support);
    for (uint32_t i = 0; i < 2; i++) /* the slice begins with the literal's own leaves */
        veer_grid_leaf(&grid, slice->leaves[i], slice->values[i]);
    if (!veer_grid_make(&grid))
        return VERDICT_UNKNOWN;
    uint32_t tried = 0;
    for (; tried < CANDIDATES && veer_grid_next(&grid, input); tried++) {
        if (veer_slice_holds(literal, want, input, length))
            return VERDICT_SAT;
    }
    veer_slice_restore(input);
    return tried ? VERDICT_UNKNOWN : VERDICT_UNSAT;
}
