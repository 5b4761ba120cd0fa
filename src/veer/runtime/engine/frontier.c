/* Leaf by leaf: slices over narrow leaves in which little of the leaves that came before matters to those that follow:
   tables of states over a text (scanners, character classes), sums and remainders of bytes, parities, counters.

   The leaves are taken in the order in which runs met them. What the first k leaves say to the rest is the values of the
   expressions that depend on those leaves alone and are used with a later one: the frontier. Of all values of k leaves
   that give the same frontier one is enough (dynamic programming; variable elimination, Dechter, "Bucket elimination",
   1999). So the work grows with the number of frontiers, not with that of inputs, and no frontier that is left proves
   unsat.

       leaf       c0              c1                  c2
       frontier      s1 = T[c0]      s2 = T[s1, c1]      -
       states        s1 = 0, 4       s2 = 0, 2, 4

   Of a leaf, values that give the same to all that is not over this leaf alone are one class: one of them is tried. */
#include "frontier.h"
#include "byte_set.h"
#include "evaluate.h"
#include "hash.h"
#include "lanes.h"
#include "leaves.h"
#include "node.h"
#include "places.h"
#include "semantics.h"
#include "slice.h"
#include "support.h"
#include "trail.h"
#include "veer_shared.h"
#include <string.h>

enum {
    MOST_NODES = 1 << 13,
    MOST_STATES = 1 << 12,   /* behind one leaf */
    MOST_ARRIVALS = 1 << 16, /* states behind all leaves */
    MOST_LIVE = 8,           /* values of a frontier */
    MOST_OWN = 16,           /* values over one leaf alone that others use */
    MOST_WORK = 1 << 20,     /* expressions evaluated for one question */
    PLACES = 2 * MOST_STATES,
    NO_RANK = 0xffff
};

/* An expression of the slice. Its rank is that of the last leaf under it. */
struct step {
    struct lane_step code;
    uint16_t rank, last_use; /* last_use: the greatest rank of what it is an operand of */
    uint8_t operands;
    uint8_t wanted;    /* bit 0: it must be 0; bit 1: it must be 1 */
    uint8_t is_single; /* over one leaf alone */
    uint8_t is_shown;  /* such a one that something over more leaves uses */
};

/* How a state came to be: from which one, by which value of the leaf. */
struct arrival {
    uint32_t from, value;
};

struct class {
    uint32_t value;
    uint64_t own[MOST_OWN];
};

struct frontier_state {
    uint32_t leaf_count, node_count, work, class_count, own_count, live_count, arrival_count;
    uint32_t leaves[SLICE_LEAVES], roots[SLICE_RESIDUALS + 1];
    uint32_t first[SLICE_LEAVES + 1]; /* where the expressions of a rank begin in `order` */
    uint32_t own[MOST_OWN], live[MOST_LIVE];
    uint16_t order[MOST_NODES];
    struct step steps[MOST_NODES];
    uint64_t values[MOST_NODES];
    struct class classes[256];
    struct arrival arrivals[MOST_ARRIVALS];
    uint64_t states[2][MOST_STATES][MOST_LIVE];
    uint16_t places[PLACES]; /* index of a state + 1, by hash */
};
ENGINE_STATE_FITS(frontier);
#define FRONTIER ENGINE_STATE(frontier)

/* -- the plan ----------------------------------------------------------------------------------------------------- */

/* The leaves of the slice in ascending order; 0 = one is wide. */
static int sort_leaves(void)
{
    struct frontier_state *state = FRONTIER;
    const struct slice *slice = SLICE;
    state->leaf_count = slice->leaf_count;
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        uint32_t leaf = slice->leaves[i], at = i;
        if (VEER_LEAVES[leaf].width > 8)
            return 0;
        for (; at > 0 && state->leaves[at - 1] > leaf; at--)
            state->leaves[at] = state->leaves[at - 1];
        state->leaves[at] = leaf;
    }
    return 1;
}

static uint32_t rank_of(uint32_t leaf)
{
    uint32_t low = 0, high = FRONTIER->leaf_count;
    while (low + 1 < high) {
        uint32_t middle = (low + high) / 2;
        if (FRONTIER->leaves[middle] <= leaf)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* The expression as a step; 0 = its value is none of the input's alone. */
static int plan_step(uint32_t id, struct step *step)
{
    const struct veer_node *node = node_of(id);
    const uint32_t *leaves;
    uint32_t single, count = veer_support_leaves(node->support, &leaves, &single);
    if (node->op == VEER_OP_UNWRITTEN || node->op == VEER_OP_SLOT)
        return 0;
    *step = (struct step){.code = veer_lane_step(id), .operands = (uint8_t)veer_operand_count(node->op)};
    step->rank = count ? (uint16_t)rank_of(leaves[count - 1]) : NO_RANK;
    step->is_single = count == 1;
    return 1;
}

static void note_use(struct step *operand, const struct step *user)
{
    if (operand->rank == NO_RANK || user->rank == NO_RANK)
        return;
    if (user->rank > operand->last_use)
        operand->last_use = user->rank;
    if (operand->is_single && !user->is_single)
        operand->is_shown = 1;
}

static uint64_t apply(const struct step *step)
{
    const uint64_t *values = FRONTIER->values;
    const struct lane_step *code = &step->code;
    uint64_t b = has_number(code->op) ? code->b : values[code->b];
    return veer_apply(code->op, code->width, code->operand_width, values[code->a], b, values[code->c]);
}

/* Sorts the expressions by their ranks, operands first within each; those without a leaf have their values from now on. */
static void sort_steps(void)
{
    struct frontier_state *state = FRONTIER;
    uint32_t ends[SLICE_LEAVES + 1] = {0};
    for (uint32_t at = 0; at < state->node_count; at++) {
        const struct step *step = &state->steps[at];
        if (step->rank != NO_RANK)
            ends[step->rank + 1]++;
        else
            state->values[at] = step->operands ? apply(step) : node_of(EVALUATOR->cone[at])->value;
    }
    for (uint32_t rank = 0; rank < state->leaf_count; rank++)
        ends[rank + 1] += ends[rank];
    memcpy(state->first, ends, (state->leaf_count + 1) * sizeof *ends);
    for (uint32_t at = 0; at < state->node_count; at++)
        if (state->steps[at].rank != NO_RANK)
            state->order[ends[state->steps[at].rank]++] = (uint16_t)at;
}

static int plan(uint32_t literal, uint32_t want)
{
    struct frontier_state *state = FRONTIER;
    const struct slice *slice = SLICE;
    if (!sort_leaves())
        return 0;
    state->roots[0] = literal;
    for (uint32_t i = 0; i < slice->residual_count; i++)
        state->roots[i + 1] = TRAIL->residuals[slice->residuals[i]].literal;
    if (!veer_cone_build(state->roots, slice->residual_count + 1) || EVALUATOR->cone_count > MOST_NODES)
        return 0;
    state->node_count = EVALUATOR->cone_count;
    for (uint32_t at = 0; at < state->node_count; at++) {
        struct step *step = &state->steps[at];
        if (!plan_step(EVALUATOR->cone[at], step))
            return 0;
        EVALUATOR->value[EVALUATOR->cone[at]] = at;
        if (step->operands > 0)
            note_use(&state->steps[step->code.a], step);
        if (step->operands > 1)
            note_use(&state->steps[step->code.b], step);
        if (step->operands > 2)
            note_use(&state->steps[step->code.c], step);
    }
    state->steps[EVALUATOR->value[literal]].wanted |= (uint8_t)(1u << want);
    for (uint32_t i = 0; i < slice->residual_count; i++) {
        const struct residual *residual = &TRAIL->residuals[slice->residuals[i]];
        state->steps[EVALUATOR->value[residual->literal]].wanted |= (uint8_t)(1u << residual->want);
    }
    sort_steps();
    return 1;
}

/* -- one leaf ----------------------------------------------------------------------------------------------------- */

/* Evaluates the expressions of the rank that are over its leaf alone, or the others; 0 = one has not the value that it must have. */
static int run(uint32_t rank, int is_single)
{
    struct frontier_state *state = FRONTIER;
    for (uint32_t i = state->first[rank]; i < state->first[rank + 1]; i++) {
        const struct step *step = &state->steps[state->order[i]];
        if (step->is_single != is_single || step->operands == 0)
            continue;
        uint64_t value = apply(step);
        state->values[state->order[i]] = value;
        state->work++;
        if (step->wanted && step->wanted != 1u << (value & 1))
            return 0;
    }
    return 1;
}

/* Lists the values that a class shows; returns the position of the leaf itself, NONE = they are too many. */
static uint32_t list_own(uint32_t rank)
{
    struct frontier_state *state = FRONTIER;
    uint32_t leaf = VEER_NONE;
    state->own_count = 0;
    for (uint32_t i = state->first[rank]; i < state->first[rank + 1]; i++) {
        const struct step *step = &state->steps[state->order[i]];
        if (step->operands == 0)
            leaf = state->order[i];
        if (!step->is_single || !(step->is_shown || step->last_use > rank))
            continue;
        if (state->own_count == MOST_OWN)
            return VEER_NONE;
        state->own[state->own_count++] = state->order[i];
    }
    return leaf;
}

/* Adds the value as a class of its own, if no other value shows the same. */
static void add_class(uint32_t value)
{
    struct frontier_state *state = FRONTIER;
    struct class *made = &state->classes[state->class_count];
    made->value = value;
    for (uint32_t k = 0; k < state->own_count; k++)
        made->own[k] = state->values[state->own[k]];
    for (uint32_t i = 0; i < state->class_count; i++)
        if (!memcmp(state->classes[i].own, made->own, state->own_count * sizeof *made->own))
            return;
    state->class_count++;
}

static int is_printable(uint32_t value)
{
    return value >= ' ' && value <= '~';
}

/* The classes of the leaf's values: the parent's first, then printable characters. 0 = the leaf shows too many values. */
static int make_classes(uint32_t rank, uint64_t parent)
{
    struct frontier_state *state = FRONTIER;
    struct byte_set domain;
    uint32_t at = list_own(rank), values = 1u << VEER_LEAVES[state->leaves[rank]].width;
    if (at == VEER_NONE)
        return 0;
    veer_trail_byte_domain(state->leaves[rank], &domain);
    state->class_count = 0;
    for (uint32_t turn = 0; turn < 3; turn++) {
        for (uint32_t value = 0; value < values; value++) {
            if ((value == parent ? 0u : is_printable(value) ? 1u : 2u) != turn || !(domain.word[value >> 6] >> (value & 63) & 1))
                continue;
            state->values[at] = value;
            if (run(rank, 1))
                add_class(value);
        }
    }
    return 1;
}

/* The frontier behind the leaf; 0 = too many values. */
static int list_live(uint32_t rank, uint32_t *live, uint32_t *count)
{
    struct frontier_state *state = FRONTIER;
    *count = 0;
    for (uint32_t k = 0; k < state->live_count; k++)
        if (state->steps[state->live[k]].last_use > rank)
            live[(*count)++] = state->live[k];
    for (uint32_t i = state->first[rank]; i < state->first[rank + 1]; i++) {
        if (state->steps[state->order[i]].last_use <= rank)
            continue;
        if (*count == MOST_LIVE)
            return 0;
        live[(*count)++] = state->order[i];
    }
    return 1;
}

/* Whether the frontier in `values` is new among the states; 0 = not, or no room for it: then *is_full. */
static int is_new(uint64_t (*states)[MOST_LIVE], uint32_t count, const uint32_t *live, uint32_t live_count, int *is_full)
{
    struct frontier_state *state = FRONTIER;
    uint64_t hash = live_count;
    for (uint32_t k = 0; k < live_count; k++)
        hash = mix(hash, state->values[live[k]]);
    uint32_t place = (uint32_t)(hash % PLACES);
    for (; state->places[place]; place = (place + 1) % PLACES) {
        const uint64_t *other = states[state->places[place] - 1];
        uint32_t k = 0;
        while (k < live_count && other[k] == state->values[live[k]])
            k++;
        if (k == live_count)
            return 0;
    }
    *is_full = count == MOST_STATES || state->arrival_count == MOST_ARRIVALS;
    if (*is_full)
        return 0;
    state->places[place] = (uint16_t)(count + 1);
    for (uint32_t k = 0; k < live_count; k++)
        states[count][k] = state->values[live[k]];
    return 1;
}

/* From the states before a leaf (the last `count` arrivals) to those behind it; how many, NONE = it is too much. */
static uint32_t pass(uint32_t rank, uint32_t count)
{
    struct frontier_state *state = FRONTIER;
    uint64_t(*before)[MOST_LIVE] = state->states[rank & 1], (*behind)[MOST_LIVE] = state->states[!(rank & 1)];
    uint32_t live[MOST_LIVE], live_count, made = 0, first = state->arrival_count - count;
    int is_full = 0;
    if (!list_live(rank, live, &live_count))
        return VEER_NONE;
    memset(state->places, 0, sizeof state->places);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < state->class_count; k++) {
            const struct class *class = &state->classes[k];
            for (uint32_t j = 0; j < state->live_count; j++)
                state->values[state->live[j]] = before[i][j];
            for (uint32_t j = 0; j < state->own_count; j++)
                state->values[state->own[j]] = class->own[j];
            state->work++;
            if (run(rank, 0) && is_new(behind, made, live, live_count, &is_full)) {
                state->arrivals[state->arrival_count++] = (struct arrival){first + i, class->value};
                made++;
            }
            if (is_full || state->work > MOST_WORK)
                return VEER_NONE;
        }
    }
    memcpy(state->live, live, sizeof live);
    state->live_count = live_count;
    return made;
}

/* -- all leaves --------------------------------------------------------------------------------------------------- */

static enum verdict pass_all(const uint8_t *input, uint32_t length)
{
    struct frontier_state *state = FRONTIER;
    uint32_t count = 1;
    state->work = state->live_count = 0;
    state->arrivals[0] = (struct arrival){0, 0};
    state->arrival_count = 1;
    for (uint32_t rank = 0; rank < state->leaf_count; rank++) {
        if (!make_classes(rank, veer_leaf_value(state->leaves[rank], input, length)))
            return VERDICT_UNKNOWN;
        count = pass(rank, count);
        if (count == VEER_NONE)
            return VERDICT_UNKNOWN;
        if (count == 0)
            return VERDICT_UNSAT;
    }
    return VERDICT_SAT;
}

enum verdict veer_rung_frontier(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    struct frontier_state *state = FRONTIER;
    if (!plan(literal, want))
        return VERDICT_UNKNOWN;
    enum verdict verdict = pass_all(input, length);
    if (verdict != VERDICT_SAT)
        return verdict;
    uint32_t at = state->arrival_count - 1;
    for (uint32_t rank = state->leaf_count; rank-- > 0; at = state->arrivals[at].from)
        veer_set_leaf(state->leaves[rank], state->arrivals[at].value, input);
    if (veer_slice_holds(literal, want, input, length))
        return VERDICT_SAT;
    veer_slice_restore(input);
    return VERDICT_UNKNOWN;
}
