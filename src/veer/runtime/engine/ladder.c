/* The ladder: answers "the prefix holds and this literal is so" natively, exactly, or not at all.

   rung       says                     about
   domain     sat, unsat               a literal over one narrow leaf: its domain and the literal's truth table
   interval   sat, unsat               a literal over one wide leaf that intervals express
   recent     sat                      one of the last inputs, on the slice
   invert     sat                      the comparison turned round down to a leaf
   order      sat, unsat               slices of comparisons between leaves, or words of leaves
   enumerate  sat, unsat               slices over few values
   choice     sat                      (in expand.c) another alternative of a pointer

   Every answer "sat" of the last four is checked by evaluating the whole slice; the first two are right by
   construction, and the run's prefix is compared afterwards in any case. The input stays the parent's but for what must
   change. */
#include "engine.h"
#include <string.h>

enum { CANDIDATES = 64 };

/* The input with all of the leaf in it. */
static void lengthen(uint32_t leaf, uint8_t *input, uint32_t *length)
{
    uint32_t end = VEER_LEAVES[leaf].input_offset + (VEER_LEAVES[leaf].width + 7u) / 8u;
    if (end > *length) {
        memset(input + *length, 0, end - *length);
        *length = end;
    }
}

static void copy_parent(const uint8_t *parent, uint32_t parent_length, uint8_t *input, uint32_t *length)
{
    if (input != parent)
        memcpy(input, parent, parent_length);
    *length = parent_length;
}

static enum verdict count_answer(uint32_t rung, enum verdict verdict)
{
    struct veer_rung *counters = &VEER_CONTROL->rungs[rung];
    counters->asked++;
    counters->sat += verdict == VERDICT_SAT;
    counters->unsat += verdict == VERDICT_UNSAT;
    return verdict;
}

/* Tries members of a narrow leaf's set on the whole slice, from the parent's value on. */
static int try_bytes(uint32_t literal, uint32_t want, uint32_t leaf, struct byte_set set, uint8_t *input,
                     uint32_t length)
{
    uint64_t old = veer_leaf_value(leaf, input, length);
    for (int i = 0; i < CANDIDATES; i++) {
        int value = veer_byte_pick(&set, leaf, old);
        if (value < 0)
            break;
        veer_set_leaf(leaf, (uint64_t)value, input);
        if (veer_slice_holds(literal, want, input, length))
            return 1;
        set.word[value >> 6] &= ~(1ull << (value & 63));
    }
    veer_set_leaf(leaf, old, input);
    return 0;
}

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

/* One narrow leaf. */
static enum verdict solve_bytes(uint32_t literal, uint32_t want, uint32_t leaf, const uint8_t *parent,
                                uint32_t parent_length, uint8_t *input, uint32_t *length)
{
    struct byte_set scratch, set;
    const struct byte_set *solution = veer_byte_solution(literal, leaf, &scratch);
    if (!solution)
        return VERDICT_UNKNOWN;
    veer_trail_byte_domain(leaf, &set);
    uint64_t any = 0;
    for (int i = 0; i < 4; i++) {
        set.word[i] &= want ? solution->word[i] : ~solution->word[i];
        any |= set.word[i];
    }
    if (!any)
        return VERDICT_UNSAT;
    copy_parent(parent, parent_length, input, length);
    lengthen(leaf, input, length);
    if (!ENGINE->leaf_links[leaf]) {
        veer_set_leaf(leaf, (uint64_t)veer_byte_pick(&set, leaf, veer_leaf_value(leaf, input, *length)), input);
        return VERDICT_SAT;
    }
    return veer_slice_build(literal) && try_bytes(literal, want, leaf, set, input, *length) ? VERDICT_SAT
                                                                                            : VERDICT_UNKNOWN;
}

/* One wide leaf. */
static enum verdict solve_spans(uint32_t literal, uint32_t want, uint32_t leaf, const uint8_t *parent,
                                uint32_t parent_length, uint8_t *input, uint32_t *length)
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
    copy_parent(parent, parent_length, input, length);
    lengthen(leaf, input, length);
    if (!ENGINE->leaf_links[leaf]) {
        veer_set_leaf(leaf, veer_spans_nearest(&set, veer_leaf_value(leaf, input, *length), width), input);
        return VERDICT_SAT;
    }
    return veer_slice_build(literal) && try_spans(literal, want, leaf, &set, input, *length) ? VERDICT_SAT
                                                                                             : VERDICT_UNKNOWN;
}

/* The rungs that work on the slice as a whole. */
static enum verdict solve_slice(uint32_t literal, uint32_t want, const uint8_t *parent, uint32_t parent_length,
                                uint8_t *input, uint32_t *length)
{
    struct slice *slice = &ENGINE->slice;
    uint64_t start = veer_now();
    if (!veer_slice_build(literal))
        return VERDICT_UNKNOWN;
    copy_parent(parent, parent_length, input, length);
    for (uint32_t i = 0; i < slice->leaf_count; i++)
        lengthen(slice->leaves[i], input, length);
    for (uint32_t i = 0; i < slice->leaf_count; i++)
        slice->values[i] = veer_leaf_value(slice->leaves[i], input, *length);
    static const uint32_t order[] = {VEER_RUNG_INVERT, VEER_RUNG_RECENT, VEER_RUNG_ORDER, VEER_RUNG_ENUMERATE};
    for (uint32_t i = 0; i < sizeof order / sizeof *order; i++) {
        enum verdict verdict;
        switch (order[i]) {
        case VEER_RUNG_RECENT:
            verdict = veer_rung_recent(literal, want, input, *length) ? VERDICT_SAT : VERDICT_UNKNOWN;
            break;
        case VEER_RUNG_INVERT:
            verdict = veer_rung_invert(literal, want, input, *length) ? VERDICT_SAT : VERDICT_UNKNOWN;
            break;
        case VEER_RUNG_ORDER: verdict = veer_rung_order(literal, want, input, *length); break;
        default: verdict = veer_rung_enumerate(literal, want, input, *length); break;
        }
        uint64_t now = veer_now();
        VEER_CONTROL->rungs[order[i]].nanoseconds += now - start;
        start = now;
        if (count_answer(order[i], verdict) != VERDICT_UNKNOWN)
            return verdict;
    }
    return VERDICT_UNKNOWN;
}

/* Asks for an input that takes the trail's decisions and then `literal` == want. `parent` is an input that takes the
   trail. Sat: the answer is in input[0 : *length] (which may hold what it likes otherwise). `want` is 0 or 1. */
enum verdict veer_ladder(uint32_t literal, uint32_t want, const uint8_t *parent, uint32_t parent_length, uint8_t *input,
                         uint32_t *length)
{
    const uint32_t *leaves;
    uint32_t single;
    while (node_of(literal)->op == VEER_OP_NOT) {
        literal = node_of(literal)->a;
        want = !want;
    }
    if (ENGINE->broken || ENGINE->overflow)
        return VERDICT_UNKNOWN;
    uint32_t count = veer_support_leaves(node_of(literal)->support, &leaves, &single);
    if (count == 0)
        return VERDICT_UNKNOWN;
    if (count == 1) {
        int narrow = VEER_LEAVES[leaves[0]].width <= 8;
        enum verdict verdict = narrow ? solve_bytes(literal, want, leaves[0], parent, parent_length, input, length)
                                      : solve_spans(literal, want, leaves[0], parent, parent_length, input, length);
        if (count_answer(narrow ? VEER_RUNG_DOMAIN : VEER_RUNG_INTERVAL, verdict) != VERDICT_UNKNOWN)
            return verdict;
    }
    enum verdict verdict = solve_slice(literal, want, parent, parent_length, input, length);
    if (verdict == VERDICT_UNKNOWN && ENGINE->holes)
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_HOLES);
    return verdict;
}
