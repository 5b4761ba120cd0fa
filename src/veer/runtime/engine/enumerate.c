/* Enumeration: all values of all leaves of a slice, where they are few. Exact, also when nothing is found. */
#include "enumerate.h"
#include "grid.h"
#include "slice.h"
#include "trail.h"

enum verdict veer_rung_enumerate(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    const struct slice *slice = SLICE;
    struct grid grid;
    grid.axis_count = grid.literal_count = 0;
    veer_grid_literal(&grid, literal, want);
    for (uint32_t i = 0; i < slice->residual_count; i++) {
        const struct residual *residual = &TRAIL->residuals[slice->residuals[i]];
        if (!veer_grid_literal(&grid, residual->literal, residual->want))
            return VERDICT_UNKNOWN;
    }
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        if (!veer_grid_leaf(&grid, slice->leaves[i], slice->values[i]))
            return VERDICT_UNKNOWN;
    }
    if (!veer_grid_make(&grid))
        return VERDICT_UNKNOWN;
    if (!veer_grid_next(&grid, input))
        return VERDICT_UNSAT;
    if (veer_slice_holds(literal, want, input, length))
        return VERDICT_SAT;
    veer_slice_restore(input);
    return VERDICT_UNKNOWN;
}
