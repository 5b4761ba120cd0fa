/* Predicates over one wide leaf as sets of intervals, exact or not at all: comparisons with constants, through
   operators that map intervals to intervals, joined by not, and, or. */
#include "preimage.h"
#include "arena.h"
#include "bits.h"
#include "linear_form.h"
#include "node.h"
#include "solutions.h"
#include "spans.h"
#include "support.h"
#include "tables.h"
#include "veer_shared.h"

enum { MAX_NESTING = 12 };

typedef __int128 wide;

/* Adds the interval [low, high] of the ring of that width (it may wrap around). 0 = no room. */
static int add_ring(struct spans *spans, uint64_t low, uint64_t high)
{
    uint32_t parts = low <= high ? 1 : 2;
    if (spans->count + parts > MAX_SPANS)
        return 0;
    if (parts == 2) {
        spans->span[spans->count++] = (struct span){0, high};
        spans->span[spans->count++] = (struct span){low, ~0ull}; /* the upper end is set by sort_spans */
    } else {
        spans->span[spans->count++] = (struct span){low, high};
    }
    return 1;
}

/* Sorts disjoint intervals and joins those that touch; cuts them at the width. */
static void sort_spans(struct spans *spans, uint32_t width)
{
    uint64_t mask = mask_of(width);
    for (uint32_t i = 1; i < spans->count; i++) {
        struct span moved = spans->span[i];
        uint32_t j = i;
        for (; j > 0 && spans->span[j - 1].low > moved.low; j--)
            spans->span[j] = spans->span[j - 1];
        spans->span[j] = moved;
    }
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        struct span span = spans->span[i];
        if (span.high > mask)
            span.high = mask;
        if (kept && spans->span[kept - 1].high + 1 == span.low)
            spans->span[kept - 1].high = span.high;
        else
            spans->span[kept++] = span;
    }
    spans->count = kept;
}

/* { x : x + shift in set } */
static int undo_add(struct spans *spans, uint32_t width, uint64_t shift)
{
    struct spans moved = {.count = 0};
    uint64_t mask = mask_of(width);
    if (spans->count == 1 && spans->span[0].low == 0 && spans->span[0].high == mask)
        return 1;
    for (uint32_t i = 0; i < spans->count; i++) {
        if (!add_ring(&moved, (spans->span[i].low - shift) & mask, (spans->span[i].high - shift) & mask))
            return 0;
    }
    sort_spans(&moved, width);
    *spans = moved;
    return 1;
}

/* { x : from - x in set } */
static int undo_reflect(struct spans *spans, uint32_t width, uint64_t from)
{
    struct spans moved = {.count = 0};
    uint64_t mask = mask_of(width);
    if (spans->count == 1 && spans->span[0].low == 0 && spans->span[0].high == mask)
        return 1;
    for (uint32_t i = 0; i < spans->count; i++) {
        if (!add_ring(&moved, (from - spans->span[i].high) & mask, (from - spans->span[i].low) & mask))
            return 0;
    }
    sort_spans(&moved, width);
    *spans = moved;
    return 1;
}

/* The part of the set within [low, high], moved down by `base`. */
static void clip(struct spans *spans, uint64_t low, uint64_t high, uint64_t base)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        struct span span = spans->span[i];
        if (span.high < low || span.low > high)
            continue;
        uint64_t from = span.low < low ? low : span.low, to = span.high > high ? high : span.high;
        spans->span[kept++] = (struct span){from - base, to - base};
    }
    spans->count = kept;
}

/* { x : sext(x) in set } */
static int undo_sign_extension(struct spans *spans, uint32_t width, uint32_t inner_width)
{
    struct spans positive = *spans, negative = *spans;
    uint64_t half = sign_bit(inner_width), mask = mask_of(width), least = (0 - half) & mask;
    clip(&positive, 0, half - 1, 0);
    clip(&negative, least, mask, least - half);
    *spans = positive;
    for (uint32_t i = 0; i < negative.count; i++) {
        if (spans->count == MAX_SPANS)
            return 0;
        spans->span[spans->count++] = negative.span[i];
    }
    sort_spans(spans, inner_width);
    return 1;
}

/* { x : x / divisor in set }, unsigned */
static void undo_divide(struct spans *spans, uint32_t width, uint64_t divisor)
{
    uint64_t mask = mask_of(width);
    clip(spans, 0, mask / divisor, 0);
    for (uint32_t i = 0; i < spans->count; i++) {
        unsigned __int128 high = (unsigned __int128)spans->span[i].high * divisor + (divisor - 1);
        spans->span[i].low *= divisor;
        spans->span[i].high = high > mask ? mask : (uint64_t)high;
    }
}

/* { x : x / divisor in set }, signed, divisor > 0: quotients are rounded towards zero */
static int undo_signed_divide(struct spans *spans, uint32_t width, int64_t divisor)
{
    struct spans moved = {.count = 0};
    uint64_t mask = mask_of(width);
    wide least = -((wide)1 << (width - 1)), greatest = -least - 1, d = divisor;
    for (uint32_t i = 0; i < 2 * spans->count; i++) {
        struct spans half = {.count = 1, .span = {spans->span[i / 2]}};
        clip(&half, i % 2 ? sign_bit(width) : 0, i % 2 ? mask : sign_bit(width) - 1, 0);
        if (half.count == 0)
            continue;
        wide low = sign_extend(half.span[0].low, width), high = sign_extend(half.span[0].high, width);
        low = low > 0 ? low * d : low * d - (d - 1);
        high = high >= 0 ? high * d + (d - 1) : high * d;
        low = low < least ? least : low;
        high = high > greatest ? greatest : high;
        if (low <= high && !add_ring(&moved, (uint64_t)low & mask, (uint64_t)high & mask))
            return 0;
    }
    sort_spans(&moved, width);
    *spans = moved;
    return 1;
}

/* { x : x << bits | low in set }, where `low` has that many bits */
static void undo_low_part(struct spans *spans, uint32_t bits, uint64_t low)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        struct span span = spans->span[i];
        if (span.high < low)
            continue;
        uint64_t from = span.low <= low ? 0 : ((span.low - low - 1) >> bits) + 1, to = (span.high - low) >> bits;
        if (from <= to)
            spans->span[kept++] = (struct span){from, to};
    }
    spans->count = kept;
}

static int undo_concat(struct spans *spans, const struct veer_node *node, uint32_t *inner)
{
    uint32_t low_width = node_of(node->b)->width;
    uint64_t part;
    if (veer_is_constant(node->b, &part)) {
        *inner = node->a;
        undo_low_part(spans, low_width, part);
        sort_spans(spans, node_of(node->a)->width);
        return 1;
    }
    if (!veer_is_constant(node->a, &part))
        return 0;
    *inner = node->b;
    clip(spans, part << low_width, part << low_width | mask_of(low_width), part << low_width);
    return 1;
}

/* The top bits of the operand: x >> low_bit in set. */
static int undo_extract(struct spans *spans, const struct veer_node *node)
{
    uint32_t low_bit = node->b;
    if (low_bit + node->width != node_of(node->a)->width)
        return 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        spans->span[i].low <<= low_bit;
        spans->span[i].high = spans->span[i].high << low_bit | mask_of(low_bit);
    }
    return 1;
}

/* { i : entry i in set }; behind the table's end every entry is 0. */
static int undo_lookup(struct spans *spans, const struct veer_node *node)
{
    struct spans indices = {.count = 0};
    uint64_t mask = mask_of(node_of(node->a)->width), count = veer_table_count(node->b);
    for (uint64_t i = 0; i <= mask && i <= count; i++) {
        if (!veer_spans_contain(spans, veer_table_entry(node->b, i)))
            continue;
        struct span *last = indices.count ? &indices.span[indices.count - 1] : NULL;
        if (last && last->high + 1 == i)
            last->high = i;
        else if (indices.count == MAX_SPANS)
            return 0;
        else
            indices.span[indices.count++] = (struct span){i, i};
        if (i == count)
            indices.span[indices.count - 1].high = mask;
    }
    *spans = indices;
    return 1;
}

static int undo_binary_constant(struct spans *spans, const struct veer_node *node)
{
    uint64_t constant, mask = mask_of(node->width);
    if (!veer_is_constant(node->b, &constant))
        return 0;
    switch (node->op) {
    case VEER_OP_ADD: return undo_add(spans, node->width, constant);
    case VEER_OP_XOR:
        if (constant == sign_bit(node->width))
            return undo_add(spans, node->width, constant);
        return constant == mask && undo_reflect(spans, node->width, mask);
    case VEER_OP_UDIV:
        if (constant == 0)
            return 0;
        undo_divide(spans, node->width, constant);
        sort_spans(spans, node->width);
        return 1;
    case VEER_OP_SDIV:
        return sign_extend(constant, node->width) > 0 &&
               undo_signed_divide(spans, node->width, sign_extend(constant, node->width));
    default: return 0;
    }
}

/* Turns { values of term } into { values of the leaf }; 0 = the term is none of the known forms. */
static int preimage(uint32_t term, struct spans *spans)
{
    uint64_t constant;
    for (;;) {
        const struct veer_node *node = node_of(term);
        uint32_t inner = node->a;
        switch (node->op) {
        case VEER_OP_LEAF: return 1;
        case VEER_OP_ZEXT: clip(spans, 0, mask_of(node_of(inner)->width), 0); break;
        case VEER_OP_SEXT:
            if (!undo_sign_extension(spans, node->width, node_of(inner)->width))
                return 0;
            break;
        case VEER_OP_SUB:
            if (!veer_is_constant(node->a, &constant) || !undo_reflect(spans, node->width, constant))
                return 0;
            inner = node->b;
            break;
        case VEER_OP_EXTRACT:
            if (!undo_extract(spans, node))
                return 0;
            break;
        case VEER_OP_LOOKUP:
            if (!undo_lookup(spans, node))
                return 0;
            break;
        case VEER_OP_CONCAT:
            if (!undo_concat(spans, node, &inner))
                return 0;
            break;
        case VEER_OP_ADD:
        case VEER_OP_XOR:
        case VEER_OP_UDIV:
        case VEER_OP_SDIV:
            if (!undo_binary_constant(spans, node))
                return 0;
            break;
        default: return 0;
        }
        term = inner;
    }
}

/* { t : t op constant }, or { t : constant op t } if the constant is on the left. */
static void compare_set(uint32_t op, uint32_t width, uint64_t constant, int constant_left, struct spans *set)
{
    uint64_t mask = mask_of(width), flip = op == VEER_OP_SLT ? sign_bit(width) : 0, rank = constant ^ flip;
    set->count = 0;
    if (op == VEER_OP_EQ) {
        set->count = 1;
        set->span[0] = (struct span){constant, constant};
        return;
    }
    if (constant_left ? rank == mask : rank == 0)
        return;
    uint64_t low = constant_left ? rank + 1 : 0, high = constant_left ? mask : rank - 1;
    set->count = 1;
    set->span[0] = (struct span){low, high};
    undo_add(set, width, flip); /* back from ranks: adding the sign bit is its own inverse */
}

static int solve(uint32_t literal, struct spans *spans, uint32_t nesting);

static int solve_both(const struct veer_node *node, struct spans *spans, uint32_t nesting)
{
    struct spans left, right, other;
    const uint32_t *leaves;
    uint32_t single;
    if (veer_support_leaves(node->support, &leaves, &single) != 1 || !solve(node->a, &left, nesting) ||
        !solve(node->b, &right, nesting))
        return 0;
    if (node->op == VEER_OP_AND)
        return veer_spans_intersect(&left, &right, spans);
    uint32_t leaf_width = VEER_LEAVES[leaves[0]].width;
    return veer_spans_complement(&left, leaf_width, &other) && veer_spans_complement(&right, leaf_width, &left) &&
           veer_spans_intersect(&other, &left, &right) && veer_spans_complement(&right, leaf_width, spans);
}

/* The values of the only leaf under `literal` for which it holds. */
static int solve(uint32_t literal, struct spans *spans, uint32_t nesting)
{
    const struct veer_node *node = node_of(literal);
    const uint32_t *leaves;
    uint32_t single;
    uint64_t constant;
    if (nesting == MAX_NESTING || veer_support_leaves(node->support, &leaves, &single) != 1)
        return 0;
    switch (node->op) {
    case VEER_OP_NOT: {
        struct spans inner;
        return solve(node->a, &inner, nesting + 1) &&
               veer_spans_complement(&inner, VEER_LEAVES[leaves[0]].width, spans);
    }
    case VEER_OP_AND:
    case VEER_OP_OR: return solve_both(node, spans, nesting + 1);
    case VEER_OP_EQ:
    case VEER_OP_ULT:
    case VEER_OP_SLT:
        if (veer_is_constant(node->b, &constant)) {
            compare_set(node->op, node_of(node->a)->width, constant, 0, spans);
            return preimage(node->a, spans);
        }
        if (veer_is_constant(node->a, &constant)) {
            compare_set(node->op, node_of(node->a)->width, constant, 1, spans);
            return preimage(node->b, spans);
        }
        return 0;
    default: return 0;
    }
}

static void store(uint32_t literal, const struct spans *spans)
{
    uint32_t words = 1 + 2 * spans->count, at = SOLUTIONS->top;
    if (at + words > SOLUTION_WORDS)
        return;
    SOLUTIONS->words[at] = spans->count;
    for (uint32_t i = 0; i < spans->count; i++) {
        SOLUTIONS->words[at + 1 + 2 * i] = spans->span[i].low;
        SOLUTIONS->words[at + 2 + 2 * i] = spans->span[i].high;
    }
    SOLUTIONS->top += words;
    SOLUTIONS->of[literal] = at;
}

/* The values of the wide leaf, the only one under `literal`, for which it holds; 0 = not a form that intervals express.
 */
int veer_spans_solution(uint32_t literal, struct spans *spans)
{
    uint32_t at = SOLUTIONS->of[literal];
    if (at == VEER_NONE)
        return 0;
    if (at == 0) {
        if (!solve(literal, spans, 0)) {
            SOLUTIONS->of[literal] = VEER_NONE;
            return 0;
        }
        store(literal, spans);
        return 1;
    }
    spans->count = (uint32_t)SOLUTIONS->words[at];
    for (uint32_t i = 0; i < spans->count; i++)
        spans->span[i] = (struct span){SOLUTIONS->words[at + 1 + 2 * i], SOLUTIONS->words[at + 2 + 2 * i]};
    return 1;
}
