/* The ladder: answers "the prefix holds and this literal is so" natively, exactly, or not at all.

   rung       says                     about
   domain     sat, unsat               a literal over one narrow leaf: its domain and the literal's truth table
   interval   sat, unsat               a literal over one wide leaf that intervals express
   invert     sat                      the comparison turned round down to a leaf
   ranges     unsat                    the values that an expression can have at all
   order      sat, unsat               slices of comparisons between leaves, or words of leaves
   recent     sat                      one of the last inputs, on the slice
   linear     sat, unsat               comparisons of sums and differences: bounds, carried from one to the other
   pairs      sat, unsat               a literal over two narrow leaves: all pairs of their values
   enumerate  sat, unsat               slices over few values
   frontier   sat, unsat               slices over narrow leaves of which those that came before say little to the rest
   choice     sat                      (in expand.c) another alternative of a pointer

   Every answer "sat" of a rung on the slice is checked by evaluating the whole slice; the first two are right by
   construction, and the run's prefix is compared afterwards in any case. The input stays the parent's but for what must
   change. Each rung but choice, which nobody else could answer, is left out when control.rungs_off has its bit. */
#include "ladder.h"
#include "domain.h"
#include "enumerate.h"
#include "evaluate.h"
#include "executes.h"
#include "frontier.h"
#include "interval.h"
#include "invert.h"
#include "ledger.h"
#include "linear.h"
#include "node.h"
#include "order.h"
#include "pairs.h"
#include "ranges.h"
#include "recent.h"
#include "slice.h"
#include "support.h"
#include "trail.h"
#include "veer_shared.h"
#include <string.h>

/* The rungs that work on the slice as a whole, in the order in which they are asked. */
static const struct {
    uint32_t number;
    enum verdict (*solve)(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
} SLICE_RUNGS[] = {
    {VEER_RUNG_INVERT, veer_rung_invert}, {VEER_RUNG_RANGES, veer_rung_ranges}, {VEER_RUNG_ORDER, veer_rung_order},
    {VEER_RUNG_RECENT, veer_rung_recent}, {VEER_RUNG_LINEAR, veer_rung_linear}, {VEER_RUNG_PAIRS, veer_rung_pairs},
    {VEER_RUNG_ENUMERATE, veer_rung_enumerate}, {VEER_RUNG_FRONTIER, veer_rung_frontier},
};

/* The input with all of the leaf in it. */
static void lengthen(uint32_t leaf, uint8_t *input, uint32_t *length)
{
    uint32_t end = VEER_LEAVES[leaf].input_offset + (VEER_LEAVES[leaf].width + 7u) / 8u;
    if (end > *length) {
        memset(input + *length, 0, end - *length);
        *length = end;
    }
}

static int is_on(uint32_t rung)
{
    return !(VEER_CONTROL->rungs_off >> rung & 1);
}

/* Counts an answer, and the time since the clock was looked at last. */
static enum verdict count_answer(uint32_t rung, enum verdict verdict)
{
    struct veer_rung *counters = &VEER_CONTROL->rungs[rung];
    uint64_t now = veer_now();
    counters->asked++;
    counters->sat += verdict == VERDICT_SAT;
    counters->unsat += verdict == VERDICT_UNSAT;
    counters->nanoseconds += now - LADDER->clock;
    LADDER->clock = now;
    return verdict;
}

/* The rungs for a literal over a single leaf. */
static enum verdict solve_leaf(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t *length)
{
    uint32_t rung = VEER_LEAVES[leaf].width <= 8 ? VEER_RUNG_DOMAIN : VEER_RUNG_INTERVAL;
    if (!is_on(rung))
        return VERDICT_UNKNOWN;
    lengthen(leaf, input, length);
    return count_answer(rung, rung == VEER_RUNG_DOMAIN ? veer_rung_domain(literal, want, leaf, input, *length)
                                                       : veer_rung_interval(literal, want, leaf, input, *length));
}

static enum verdict solve_slice(uint32_t literal, uint32_t want, uint8_t *input, uint32_t *length)
{
    struct slice *slice = SLICE;
    if (!veer_slice_build(literal))
        return VERDICT_UNKNOWN;
    for (uint32_t i = 0; i < slice->leaf_count; i++)
        lengthen(slice->leaves[i], input, length);
    for (uint32_t i = 0; i < slice->leaf_count; i++)
        slice->values[i] = veer_leaf_value(slice->leaves[i], input, *length);
    for (uint32_t i = 0; i < sizeof SLICE_RUNGS / sizeof *SLICE_RUNGS; i++) {
        uint32_t rung = SLICE_RUNGS[i].number;
        if (!is_on(rung))
            continue;
        enum verdict verdict = count_answer(rung, SLICE_RUNGS[i].solve(literal, want, input, *length));
        if (verdict != VERDICT_UNKNOWN)
            return verdict;
    }
    return VERDICT_UNKNOWN;
}

/* Asks for an input that takes the trail's decisions and then `literal` == want. `parent` is an input that takes the
   trail. Sat: the answer is in input[0 : *length] (which may hold what it likes otherwise). `want` is 0 or 1. The time
   since LADDER->clock is the ladder's. */
enum verdict veer_ladder(uint32_t literal, uint32_t want, const uint8_t *parent, uint32_t parent_length, uint8_t *input,
                         uint32_t *length)
{
    const uint32_t *leaves;
    uint32_t single;
    while (node_of(literal)->op == VEER_OP_NOT) {
        literal = node_of(literal)->a;
        want = !want;
    }
    if (TRAIL->broken || TRAIL->overflow)
        return VERDICT_UNKNOWN;
    uint32_t count = veer_support_leaves(node_of(literal)->support, &leaves, &single);
    if (count == 0)
        return VERDICT_UNKNOWN;
    if (input != parent)
        memcpy(input, parent, parent_length);
    *length = parent_length;
    enum verdict verdict =
        count == 1 ? solve_leaf(literal, want, leaves[0], input, length) : VERDICT_UNKNOWN;
    if (verdict == VERDICT_UNKNOWN)
        verdict = solve_slice(literal, want, input, length);
    if (verdict == VERDICT_UNKNOWN && TRAIL->holes)
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_HOLES);
    return verdict;
}
