/* Recent models: what satisfied the slice a moment ago often does again. The literal is evaluated under all of them at
   once. */
#include "recent.h"
#include "arena.h"
#include "evaluate.h"
#include "lanes.h"
#include "node.h"
#include "slice.h"
#include "support.h"
#include "veer_shared.h"

enum { RECENT = 16 };

static const struct veer_path *path_before(uint32_t back)
{
    return &VEER_PATHS[VEER_CONTROL->path_count - back];
}

/* Which of the last `count` stored inputs give the literal its value: bit k for the k-th last, from 0 on. */
static uint64_t inputs_that_hold(uint32_t literal, uint32_t want, uint32_t count)
{
    const uint32_t *leaves;
    uint32_t single, leaf_count = veer_support_leaves(node_of(literal)->support, &leaves, &single);
    if (!veer_cone_build(&literal, 1))
        return 0;
    veer_lanes_prepare();
    for (uint32_t i = 0; i < leaf_count; i++) {
        uint64_t *column = veer_lanes_column(veer_leaf_expression(leaves[i]));
        for (uint32_t lane = 0; lane < count; lane++) {
            const struct veer_path *path = path_before(lane + 1);
            column[lane] = veer_leaf_value(leaves[i], VEER_INPUTS + path->input_offset, path->input_length);
        }
    }
    veer_lanes_run(0, EVALUATOR->cone_count, count);
    const uint64_t *result = veer_lanes_column(literal);
    uint64_t hold = 0;
    for (uint32_t lane = 0; lane < count; lane++)
        hold |= (uint64_t)(result[lane] == want) << lane;
    return hold;
}

/* Puts the slice's leaves of one of the last stored inputs into `input`, if the slice holds there. */
enum verdict veer_rung_recent(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    const struct slice *slice = SLICE;
    uint32_t paths = VEER_CONTROL->path_count, count = paths < RECENT ? paths : RECENT;
    for (uint64_t left = inputs_that_hold(literal, want, count); left; left &= left - 1) {
        const struct veer_path *path = path_before((uint32_t)__builtin_ctzll(left) + 1);
        const uint8_t *model = VEER_INPUTS + path->input_offset;
        if (!veer_slice_holds(literal, want, model, path->input_length))
            continue;
        for (uint32_t i = 0; i < slice->leaf_count; i++)
            veer_set_leaf(slice->leaves[i], veer_leaf_value(slice->leaves[i], model, path->input_length), input);
        if (veer_slice_holds(literal, want, input, length))
            return VERDICT_SAT;
        veer_slice_restore(input);
    }
    return VERDICT_UNKNOWN;
}
