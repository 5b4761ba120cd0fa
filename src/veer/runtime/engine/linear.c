/* Linear sums and differences: comparisons of sums of unknowns (linear_form.c) are rows, and bounds are carried from
   rows to unknowns and back until nothing changes.

       a + b < 10, a - b == 4    →   a + b in -inf .. 9,  a - b in 4 .. 4,  a in 4 .. 9,  b in 0 .. 5

   That a sum or product did not overflow, as clang's checks ask, is a row, too, and the sum is exact from then on.
   Constraints are read in the order of the run, and what each says of its unknowns is known to those behind it.

   Rows with the same sum are one, so that what was said of a compared term before is known. Bounds that contradict
   each other prove unsat: each holds for every input that fulfils the slice. Else leaves are given values one after
   the other, the parent's where it is still within its bounds, and the slice is evaluated. */
#include "linear.h"
#include "bits.h"
#include "division.h"
#include "evaluate.h"
#include "linear_checks.h"
#include "linear_form.h"
#include "node.h"
#include "ranges.h"
#include "slice.h"
#include "spans.h"
#include "trail.h"
#include "veer_shared.h"
#include <stddef.h>
#include <string.h>

enum { MAX_ROUNDS = 32, MAX_CONE = 4096 };

struct linear {
    struct unknowns unknowns;
    uint32_t row_count, target; /* target: number of the literal's own row */
    int is_contradictory;
    struct row rows[MAX_ROWS];
    struct exact exact[MAX_ROWS]; /* no longer needed once all is read */
};

#define UNBOUNDED ((wide)1 << 126)

static int64_t largest_divisor(const struct form *sum)
{
    int64_t divisor = 0;
    for (uint32_t i = 0; i < sum->count; i++) {
        int64_t other = sum->terms[i].factor < 0 ? -sum->terms[i].factor : sum->terms[i].factor;
        while (other) {
            int64_t rest = divisor % other;
            divisor = other;
            other = rest;
        }
    }
    return divisor;
}

/* The row of a sum without common divisors, a new one if need be; NULL = no room. */
static struct row *row_of(struct linear *linear, const struct form *sum)
{
    for (uint32_t i = 0; i < linear->row_count; i++) {
        const struct form *other = &linear->rows[i].sum;
        uint32_t k = 0;
        while (other->count == sum->count && k < sum->count && other->terms[k].unknown == sum->terms[k].unknown &&
               other->terms[k].factor == sum->terms[k].factor)
            k++;
        if (other->count == sum->count && k == sum->count)
            return &linear->rows[i];
    }
    if (linear->row_count == MAX_ROWS)
        return NULL;
    struct row *row = &linear->rows[linear->row_count++];
    row->sum = *sum;
    linear->unknowns.row_count = linear->row_count;
    row->low = -UNBOUNDED;
    row->high = UNBOUNDED;
    row->hole_count = 0;
    return row;
}

/* Enters low <= sum <= high, or with `is_hole` that sum is not `low`; 0 = no room. */
static int enter_row(struct linear *linear, struct form *sum, wide low, wide high, int is_hole)
{
    low -= sum->constant;
    high -= sum->constant;
    sum->constant = 0;
    if (sum->count == 0) {
        linear->is_contradictory |= is_hole ? low == 0 : low > 0 || high < 0;
        return 1;
    }
    int64_t divisor = largest_divisor(sum);
    if (is_hole && veer_divide_down(low, divisor) * divisor != low)
        return 1;
    if (sum->terms[0].factor < 0) {
        wide swap = -low;
        low = is_hole ? swap : -high;
        high = swap;
        for (uint32_t i = 0; i < sum->count; i++)
            sum->terms[i].factor = -sum->terms[i].factor;
    }
    for (uint32_t i = 0; i < sum->count; i++)
        sum->terms[i].factor /= divisor;
    struct row *row = row_of(linear, sum);
    if (!row)
        return 0;
    linear->target = (uint32_t)(row - linear->rows);
    if (is_hole) { /* the last ones are kept */
        row->holes[row->hole_count++ % MAX_HOLES] = veer_divide_down(low, divisor);
        return 1;
    }
    low = veer_divide_up(low, divisor);
    high = veer_divide_down(high, divisor);
    row->low = low > row->low ? low : row->low;
    row->high = high < row->high ? high : row->high;
    return 1;
}

/* Both sides of a comparison as sums, in the reading of the operator; equality holds in any. */
static int sides(struct unknowns *unknowns, const struct veer_node *node, struct form *left, struct form *right)
{
    uint32_t is_signed = node->op == VEER_OP_SLT;
    if (node->op == VEER_OP_EQ && !(veer_linear_fits(unknowns, node->a, 0, left) &&
                                    veer_linear_fits(unknowns, node->b, 0, right)))
        is_signed = veer_linear_fits(unknowns, node->a, 1, left) && veer_linear_fits(unknowns, node->b, 1, right);
    return veer_linear_form(unknowns, node->a, is_signed, left) &&
           veer_linear_form(unknowns, node->b, is_signed, right);
}

/* Enters that the sum is within the word, or not, where it can leave it on one side alone; 0 = nothing is known. */
static int enter_checked(struct linear *linear, struct checked *checked, uint32_t is_within)
{
    wide low, high;
    if (is_within) {
        veer_linear_is_exactly(&linear->unknowns, checked->expression, &checked->sum);
        return enter_row(linear, &checked->sum, checked->least, checked->greatest, 0);
    }
    veer_linear_known(&linear->unknowns, &checked->sum, &low, &high);
    if (low >= checked->least)
        return enter_row(linear, &checked->sum, checked->greatest + 1, UNBOUNDED, 0);
    return high <= checked->greatest && enter_row(linear, &checked->sum, -UNBOUNDED, checked->least - 1, 0);
}

static int enter(struct linear *linear, uint32_t literal, uint32_t want);

/* Whether the comparison cannot have that value, whatever its unknowns are. */
static int is_excluded(struct linear *linear, uint32_t literal, uint32_t want)
{
    struct form left, right;
    const struct veer_node *node = node_of(literal);
    wide low, high;
    if ((node->op != VEER_OP_ULT && node->op != VEER_OP_SLT) || !sides(&linear->unknowns, node, &left, &right) ||
        !veer_linear_add(&left, &right, -1))
        return 0;
    veer_linear_known(&linear->unknowns, &left, &low, &high);
    return want ? low >= 0 : high < 0;
}

/* Enters a conjunction's two comparisons, or that of a disjunction which can be where the other cannot: n < low or n > high, of a
   product that overflows. */
static int enter_two(struct linear *linear, const struct veer_node *node, uint32_t want)
{
    if ((node->op == VEER_OP_AND) == want) {
        int is_first = enter(linear, node->a, want), is_second = enter(linear, node->b, want);
        return is_first || is_second;
    }
    if (is_excluded(linear, node->a, want))
        return enter(linear, node->b, want);
    return is_excluded(linear, node->b, want) && enter(linear, node->a, want);
}

/* Enters a constraint; 0 = it is no comparison of sums. */
static int enter(struct linear *linear, uint32_t literal, uint32_t want)
{
    struct form left, right;
    struct checked checked;
    const struct veer_node *node = node_of(literal);
    while (node->op == VEER_OP_NOT) {
        node = node_of(node->a);
        want = !want;
    }
    if (node->op == VEER_OP_OR || node->op == VEER_OP_AND) /* of width 1, as every literal */
        return enter_two(linear, node, want);
    if (veer_checked_product(&linear->unknowns, node, &checked))
        return enter_checked(linear, &checked, want);
    if (veer_checked_overflow(&linear->unknowns, node, &checked))
        return enter_checked(linear, &checked, !want);
    if (node->op != VEER_OP_EQ && node->op != VEER_OP_ULT && node->op != VEER_OP_SLT)
        return 0;
    if (!sides(&linear->unknowns, node, &left, &right) || !veer_linear_add(&left, &right, -1))
        return 0;
    if (node->op == VEER_OP_EQ)
        return enter_row(linear, &left, 0, 0, !want);
    return want ? enter_row(linear, &left, -UNBOUNDED, -1, 0) : enter_row(linear, &left, 0, UNBOUNDED, 0);
}

static int is_hole(const struct row *row, wide value)
{
    for (uint32_t i = 0; i < row->hole_count && i < MAX_HOLES; i++) {
        if (row->holes[i] == value)
            return 1;
    }
    return 0;
}

/* Narrows the row by what its unknowns allow, then these by the row; 0 = nothing is left. *changed: an unknown was
   narrowed. */
static int narrow(struct linear *linear, struct row *row, int *changed)
{
    wide low, high;
    veer_linear_bounds(&linear->unknowns, &row->sum, &low, &high);
    row->low = low > row->low ? low : row->low;
    row->high = high < row->high ? high : row->high;
    while (row->low <= row->high && is_hole(row, row->low))
        row->low++;
    while (row->low <= row->high && is_hole(row, row->high))
        row->high--;
    if (row->low > row->high)
        return 0;
    for (uint32_t i = 0; i < row->sum.count; i++) {
        struct unknown *unknown = &linear->unknowns.of[row->sum.terms[i].unknown];
        int64_t factor = row->sum.terms[i].factor;
        wide old_low = unknown->low, old_high = unknown->high;
        /* what is left for this term when the others are at their ends */
        wide most = row->high - (low - factor * (factor > 0 ? old_low : old_high));
        wide least = row->low - (high - factor * (factor > 0 ? old_high : old_low));
        wide new_low = factor > 0 ? veer_divide_up(least, factor) : veer_divide_up(most, factor);
        wide new_high = factor > 0 ? veer_divide_down(most, factor) : veer_divide_down(least, factor);
        if (new_low <= old_low && new_high >= old_high)
            continue;
        unknown->low = new_low > old_low ? new_low : old_low;
        unknown->high = new_high < old_high ? new_high : old_high;
        if (unknown->low > unknown->high)
            return 0;
        *changed = 1;
        veer_linear_bounds(&linear->unknowns, &row->sum, &low, &high);
    }
    return 1;
}

/* Carries bounds until nothing changes, or for some rounds; 0 = a contradiction. */
static int propagate(struct linear *linear)
{
    int changed = 1;
    for (uint32_t round = 0; changed && round < MAX_ROUNDS; round++) {
        changed = 0;
        for (uint32_t i = 0; i < linear->row_count; i++) {
            if (!narrow(linear, &linear->rows[i], &changed))
                return 0;
        }
    }
    return 1;
}

/* The value of a leaf's domain within the unknown's bounds that is closest to the parent's; 0 = there is none. */
static int choose(const struct unknown *unknown, uint64_t parent, uint64_t *value)
{
    uint32_t leaf = node_of(unknown->expression)->a, width = VEER_LEAVES[leaf].width;
    uint64_t low = (uint64_t)unknown->low & mask_of(width), high = (uint64_t)unknown->high & mask_of(width);
    struct spans allowed, domain, both;
    allowed.count = low <= high ? 1 : 2;
    allowed.span[0] = low <= high ? (struct span){low, high} : (struct span){0, high};
    allowed.span[1] = (struct span){low, mask_of(width)};
    if (width > 8) {
        veer_trail_spans_domain(leaf, &domain);
        if (!veer_spans_intersect(&allowed, &domain, &both) || !both.count)
            return 0;
        *value = veer_spans_nearest(&both, parent, width);
        return 1;
    }
    for (uint64_t distance = 0; distance <= mask_of(width); distance++) { /* above, below, further above ... */
        for (uint32_t below = 0; below < 2; below++) {
            *value = (below ? parent - distance : parent + distance) & mask_of(width);
            if (veer_spans_contain(&allowed, *value) && veer_trail_allows(leaf, *value))
                return 1;
        }
    }
    return 0;
}

static int is_in_target(const struct linear *linear, uint32_t unknown)
{
    const struct form *sum = &linear->rows[linear->target].sum;
    for (uint32_t i = 0; i < sum->count; i++) {
        if (sum->terms[i].unknown == unknown)
            return 1;
    }
    return 0;
}

/* Fixes the leaves that are part of the target, or those that are not, one after the other; 0 = did not work out. */
static int fix_leaves(struct linear *linear, int of_target, uint8_t *input, uint32_t length)
{
    for (uint32_t i = 0; i < linear->unknowns.count; i++) {
        struct unknown *unknown = &linear->unknowns.of[i];
        const struct veer_node *node = node_of(unknown->expression);
        uint64_t value;
        if (node->op != VEER_OP_LEAF || is_in_target(linear, i) != of_target)
            continue;
        if (!choose(unknown, veer_leaf_value(node->a, input, length), &value))
            return 0;
        unknown->low = unknown->high = unknown->is_signed ? (wide)sign_extend(value, node->width) : (wide)value;
        veer_set_leaf(node->a, value, input);
        if (!propagate(linear))
            return 0;
    }
    return 1;
}

/* Values for the leaves, the literal's own last, or first; 0 = none were found. */
static int assign(const struct linear *linear, int target_first, uint32_t literal, uint32_t want, uint8_t *input,
                  uint32_t length)
{
    struct linear tried;
    memcpy(&tried, linear, offsetof(struct linear, rows) + linear->row_count * sizeof *linear->rows);
    if (fix_leaves(&tried, target_first, input, length) && fix_leaves(&tried, !target_first, input, length) &&
        veer_slice_holds(literal, want, input, length))
        return 1;
    veer_slice_restore(input);
    return 0;
}

/* The slice's constraints in the order of the run, as many as there is room for. */
static uint32_t in_order(uint32_t *residuals)
{
    const struct slice *slice = SLICE;
    uint32_t count = slice->residual_count < MAX_ROWS ? slice->residual_count : MAX_ROWS - 1;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i, residual = slice->residuals[i];
        for (; at > 0 && residuals[at - 1] > residual; at--)
            residuals[at] = residuals[at - 1];
        residuals[at] = residual;
    }
    return count;
}

/* Enters what is known of quotients and remainders among the unknowns from `first` on. */
static void enter_divisions(struct linear *linear, uint32_t first)
{
    struct unknowns *unknowns = &linear->unknowns;
    uint32_t target = linear->target;
    int changed;
    for (uint32_t i = first; i < unknowns->count; i++) {
        struct division division;
        if (unknowns->of[i].is_signed == IS_QUOTIENT || !veer_linear_division(unknowns, i, &division))
            continue;
        uint32_t quotient = division.is_remainder ? veer_linear_quotient(unknowns, i) : i;
        if (quotient == VEER_NONE)
            continue;
        struct form times = veer_linear_unknown(unknowns, quotient), rest = veer_linear_unknown(unknowns, i);
        if (!veer_linear_add(&division.operand, &times, -division.divisor))
            continue;
        wide most = division.is_remainder ? 0 : division.divisor - 1;
        wide least = division.is_remainder ? 0 : division.least_rest;
        if (division.is_remainder && (!veer_linear_add(&division.operand, &rest, -1) ||
                                      !enter_row(linear, &rest, division.least_rest, division.divisor - 1, 0)))
            continue;
        if (enter_row(linear, &division.operand, least, most, 0) && linear->row_count)
            linear->is_contradictory |= !narrow(linear, &linear->rows[linear->target], &changed);
    }
    linear->target = target;
}

/* Reads the slice and the literal; 0 = the literal is no comparison of sums. */
static int read_slice(struct linear *linear, uint32_t literal, uint32_t want)
{
    uint32_t roots[MAX_ROWS], residuals[MAX_ROWS], count = in_order(residuals);
    for (uint32_t i = 0; i < count; i++)
        roots[i] = TRAIL->residuals[residuals[i]].literal;
    roots[count] = literal;
    if (!veer_ranges_build(roots, count + 1) || EVALUATOR->cone_count > MAX_CONE)
        return 0;
    memset(&linear->unknowns, 0, offsetof(struct unknowns, of));
    linear->unknowns.rows = linear->rows;
    linear->unknowns.exact = linear->exact;
    linear->row_count = linear->target = 0;
    linear->is_contradictory = 0;
    for (uint32_t i = 0; i < count && !linear->is_contradictory; i++) { /* one that is no row says nothing here */
        uint32_t known = linear->unknowns.count;
        int changed, is_row = enter(linear, roots[i], TRAIL->residuals[residuals[i]].want);
        if (is_row && linear->row_count)
            linear->is_contradictory |= !narrow(linear, &linear->rows[linear->target], &changed);
        enter_divisions(linear, known);
    }
    uint32_t known = linear->unknowns.count;
    if (!linear->is_contradictory && !enter(linear, literal, want))
        return 0;
    enter_divisions(linear, known);
    return 1;
}

enum verdict veer_rung_linear(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    struct linear linear;
    if (!read_slice(&linear, literal, want))
        return VERDICT_UNKNOWN;
    if (linear.is_contradictory || !propagate(&linear))
        return VERDICT_UNSAT;
    return linear.row_count && (assign(&linear, 0, literal, want, input, length) ||
                                assign(&linear, 1, literal, want, input, length))
               ? VERDICT_SAT
               : VERDICT_UNKNOWN;
}
