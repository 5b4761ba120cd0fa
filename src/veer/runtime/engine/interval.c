/* The rung for a literal over one wide leaf that intervals express (preimage.c): what they and the leaf's domain have
   in common. */
#include "interval.h"
#include "evaluate.h"
#include "preimage.h"
#include "slice.h"
#include "spans.h"
#include "trail.h"
#include "veer_shared.h"

enum { CANDIDATES = 64 };

/* Tries the member that is nearest to the parent's value and the ends of each interval. */
static int try_spans(uint32_t literal, uint32_t want, uint32_t leaf, const struct spans *spans, uint8_t *input,
                     uint32_t length)
{
    uint64_t old = veer_leaf_value(leaf, input, length);
    uint32_t tried = spans->count < CANDIDATES / 2 ? 2 * spans->count : CANDIDATES;
    veer_set_leaf(leaf, veer_spans_nearest(spans, old, VEER_LEAVES[leaf].width), input);
    if (veer_slice_holds(literal, want, input, length))
        return 1;
    for (uint32_t i = 0; i < tried; i++) {
        veer_set_leaf(leaf, i % 2 ? spans->span[i / 2].high : spans->span[i / 2].low, input);
        if (veer_slice_holds(literal, want, input, length))
            return 1;
    }
    veer_set_leaf(leaf, old, input);
    return 0;
}

enum verdict veer_rung_interval(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t length)
{
    struct spans solution, domain, set;
    uint32_t width = VEER_LEAVES[leaf].width;
    if (!veer_spans_solution(literal, &solution))
        return VERDICT_UNKNOWN;
    if (!want) {
        if (!veer_spans_complement(&solution, width, &set))
            return VERDICT_UNKNOWN;
        solution = set;
    }
    veer_trail_spans_domain(leaf, &domain);
    if (!veer_spans_intersect(&domain, &solution, &set))
        return VERDICT_UNKNOWN;
    if (!set.count)
        return VERDICT_UNSAT;
    if (!TRAIL->leaf_links[leaf]) {
        veer_set_leaf(leaf, veer_spans_nearest(&set, veer_leaf_value(leaf, input, length), width), input);
        return VERDICT_SAT;
    }
    return veer_slice_build(literal) && try_spans(literal, want, leaf, &set, input, length) ? VERDICT_SAT
                                                                                             : VERDICT_UNKNOWN;
}
