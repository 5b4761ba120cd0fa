/* The independence slice: the constraints of the trail that share leaves, transitively, with a literal. */
#include "slice.h"
#include "evaluate.h"
#include "node.h"
#include "support.h"

#define STAMPS ENGINE_STATE(slice)

static int add_leaves(uint32_t literal)
{
    struct slice_state *stamps = STAMPS;
    struct slice *slice = SLICE;
    const uint32_t *leaves;
    uint32_t single, count = veer_support_leaves(node_of(literal)->support, &leaves, &single);
    for (uint32_t i = 0; i < count; i++) {
        if (stamps->leaf_stamp[leaves[i]] == slice->stamp)
            continue;
        if (slice->leaf_count == SLICE_LEAVES)
            return 0;
        stamps->leaf_stamp[leaves[i]] = slice->stamp;
        slice->leaves[slice->leaf_count++] = leaves[i];
    }
    return 1;
}

/* Builds the slice of a literal in SLICE; its own leaves come first. 0 = too large. */
int veer_slice_build(uint32_t literal)
{
    struct trail_state *trail = TRAIL;
    struct slice_state *stamps = STAMPS;
    struct slice *slice = SLICE;
    slice->stamp++;
    slice->leaf_count = slice->residual_count = 0;
    if (!add_leaves(literal))
        return 0;
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        for (uint32_t at = trail->leaf_links[slice->leaves[i]]; at; at = trail->links[at - 1].next) {
            uint32_t residual = trail->links[at - 1].residual;
            if (stamps->residual_stamp[residual] == slice->stamp)
                continue;
            stamps->residual_stamp[residual] = slice->stamp;
            if (slice->residual_count == SLICE_RESIDUALS)
                return 0;
            slice->residuals[slice->residual_count++] = residual;
            if (!add_leaves(trail->residuals[residual].literal))
                return 0;
        }
    }
    return 1;
}

/* Whether the input satisfies the literal, the slice's constraints and the domains of its leaves. */
int veer_slice_holds(uint32_t literal, uint32_t want, const uint8_t *input, uint32_t length)
{
    struct trail_state *trail = TRAIL;
    struct slice *slice = SLICE;
    veer_evaluate_begin(input, length);
    if (veer_evaluate(literal) != want)
        return 0;
    for (uint32_t i = 0; i < slice->residual_count; i++) {
        const struct residual *residual = &trail->residuals[slice->residuals[i]];
        if (veer_evaluate(residual->literal) != residual->want)
            return 0;
    }
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        if (!veer_trail_allows(slice->leaves[i], veer_leaf_value(slice->leaves[i], input, length)))
            return 0;
    }
    return 1;
}

/* Puts the parent's values back into the slice's leaves. */
void veer_slice_restore(uint8_t *input)
{
    const struct slice *slice = SLICE;
    for (uint32_t i = 0; i < slice->leaf_count; i++)
        veer_set_leaf(slice->leaves[i], slice->values[i], input);
}
