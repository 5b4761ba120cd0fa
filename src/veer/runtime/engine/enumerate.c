/* Enumeration: all values of all leaves of a slice, where they are few. Exact, also when nothing is found. */
#include "engine.h"

enum { MAX_COMBINATIONS = 1 << 16, MAX_WORK = 1 << 18, MAX_LEAVES = 16 };

/* The values of one leaf, in the order of trial: from the parent's value on, around the end. */
struct axis {
    struct spans spans;
    uint64_t size, position;
};

/* The k-th value of the axis. */
static uint64_t axis_value(const struct axis *axis, uint64_t k)
{
    for (uint32_t i = 0; i < axis->spans.count; i++) {
        uint64_t size = axis->spans.span[i].high - axis->spans.span[i].low + 1;
        if (k < size)
            return axis->spans.span[i].low + k;
        k -= size;
    }
    return 0;
}

static int has_value(const struct byte_set *set, uint64_t value)
{
    return (int)(set->word[value >> 6] >> (value & 63) & 1);
}

/* Adds to the bits of its operands that matter those that the node makes matter: `bits` of its own. */
static void demand(const struct veer_node *node, uint64_t bits)
{
    uint64_t *wanted = ENGINE->value, fixed;
    uint32_t low_width;
    switch (node->op) {
    case VEER_OP_NOT: wanted[node->a] |= bits; return;
    case VEER_OP_ZEXT: wanted[node->a] |= bits & mask_of(node_of(node->a)->width); return;
    case VEER_OP_EXTRACT: wanted[node->a] |= bits << node->b; return;
    case VEER_OP_CONCAT:
        low_width = node_of(node->b)->width;
        wanted[node->a] |= bits >> low_width;
        wanted[node->b] |= bits & mask_of(low_width);
        return;
    case VEER_OP_AND:
        wanted[node->a] |= veer_is_constant(node->b, &fixed) ? bits & fixed : bits;
        wanted[node->b] |= bits;
        return;
    case VEER_OP_OR:
        wanted[node->a] |= veer_is_constant(node->b, &fixed) ? bits & ~fixed : bits;
        wanted[node->b] |= bits;
        return;
    case VEER_OP_XOR:
        wanted[node->a] |= bits;
        wanted[node->b] |= bits;
        return;
    default: break;
    }
    uint32_t operands = veer_operand_count(node->op);
    uint64_t all = bits ? ~0ull : 0;
    if (operands > 0)
        wanted[node->a] |= all;
    if (operands > 1)
        wanted[node->b] |= all;
    if (operands > 2)
        wanted[node->c] |= all;
}

/* For each expression of the cone the bits that the literal and the constraints depend on, left in `value`: from the results back
   to the leaves. Bits beyond an expression's width mean nothing. */
static void demand_bits(const uint32_t *roots, uint32_t count)
{
    struct engine *engine = ENGINE;
    for (uint32_t i = 0; i < engine->cone_count; i++)
        engine->value[engine->cone[i]] = 0;
    for (uint32_t i = 0; i < count; i++)
        engine->value[roots[i]] = 1;
    for (uint32_t i = engine->cone_count; i-- > 0;)
        demand(node_of(engine->cone[i]), engine->value[engine->cone[i]]);
}

/* Of values that do not differ in the bits that matter one is enough: the parent's, or the least. */
static void keep_one_of_each(struct byte_set *set, uint64_t used, uint64_t parent)
{
    struct byte_set kept = {{0, 0, 0, 0}};
    uint8_t is_there[256] = {0};
    if (has_value(set, parent)) {
        is_there[parent & used] = 1;
        kept.word[parent >> 6] |= 1ull << (parent & 63);
    }
    for (uint32_t value = 0; value < 256; value++) {
        if (!has_value(set, value) || is_there[value & used])
            continue;
        is_there[value & used] = 1;
        kept.word[value >> 6] |= 1ull << (value & 63);
    }
    *set = kept;
}

static void byte_axis(uint32_t leaf, uint64_t parent, struct spans *spans)
{
    struct byte_set set;
    uint32_t expression = veer_leaf_expression(leaf);
    uint64_t all = mask_of(VEER_LEAVES[leaf].width), used = expression ? ENGINE->value[expression] & all : all;
    veer_trail_byte_domain(leaf, &set);
    if (used != all)
        keep_one_of_each(&set, used, parent);
    spans->count = 0;
    for (uint32_t value = 0; value < 1u << VEER_LEAVES[leaf].width; value++) {
        if (!has_value(&set, value))
            continue;
        if (spans->count && spans->span[spans->count - 1].high + 1 == value)
            spans->span[spans->count - 1].high = value;
        else
            spans->span[spans->count++] = (struct span){value, value};
    }
}

/* Fills the axis; 0 = too many values. */
static int make_axis(uint32_t leaf, uint64_t parent, struct axis *axis)
{
    if (VEER_LEAVES[leaf].width <= 8)
        byte_axis(leaf, parent, &axis->spans);
    else
        veer_trail_spans_domain(leaf, &axis->spans);
    axis->size = axis->position = 0;
    for (uint32_t i = 0; i < axis->spans.count; i++) {
        uint64_t size = axis->spans.span[i].high - axis->spans.span[i].low;
        if (size >= MAX_COMBINATIONS)
            return 0;
        axis->size += size + 1;
    }
    return axis->size <= MAX_COMBINATIONS;
}

/* Lists the cone of the literal and the slice's constraints, the literal first so that it is looked at first, and tells which bits
   of it matter. */
static int build(uint32_t literal)
{
    const struct slice *slice = &ENGINE->slice;
    uint32_t roots[1 + 64];
    if (slice->residual_count > 64)
        return 0;
    roots[0] = literal;
    for (uint32_t i = 0; i < slice->residual_count; i++)
        roots[i + 1] = ENGINE->residuals[slice->residuals[i]].literal;
    if (!veer_cone_build(roots, slice->residual_count + 1))
        return 0;
    demand_bits(roots, slice->residual_count + 1);
    return 1;
}

/* The values of all leaves of the slice; returns how many combinations there are, 0 = too many, or none. Wide leaves come first: to
   see that one of them has too many values costs nothing. */
static uint64_t make_axes(uint32_t literal, struct axis *axes)
{
    const struct slice *slice = &ENGINE->slice;
    uint64_t combinations = 1;
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        if (VEER_LEAVES[slice->leaves[i]].width > 8 && !make_axis(slice->leaves[i], slice->values[i], &axes[i]))
            return 0;
    }
    if (!build(literal))
        return 0;
    for (uint32_t i = 0; i < slice->leaf_count && combinations; i++) {
        if (VEER_LEAVES[slice->leaves[i]].width <= 8 && !make_axis(slice->leaves[i], slice->values[i], &axes[i]))
            return 0;
        combinations *= axes[i].size;
        if (combinations * ENGINE->cone_count > MAX_WORK)
            return 0;
    }
    return combinations;
}

static int holds(uint32_t literal, uint32_t want)
{
    const struct engine *engine = ENGINE;
    if (engine->value[literal] != want)
        return 0;
    for (uint32_t i = 0; i < engine->slice.residual_count; i++) {
        const struct residual *residual = &engine->residuals[engine->slice.residuals[i]];
        if (engine->value[residual->literal] != residual->want)
            return 0;
    }
    return 1;
}

/* Steps the odometer and the input; 0 = all combinations were there. */
static int step(struct axis *axes, uint8_t *input, const uint64_t *offsets)
{
    const struct slice *slice = &ENGINE->slice;
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        struct axis *axis = &axes[i];
        axis->position = (axis->position + 1) % axis->size;
        veer_set_leaf(slice->leaves[i], axis_value(axis, (axis->position + offsets[i]) % axis->size), input);
        if (axis->position)
            return 1;
    }
    return 0;
}

/* Where in the axis the parent's value is, or the start. */
static uint64_t start_of(const struct axis *axis, uint64_t value)
{
    uint64_t before = 0;
    for (uint32_t i = 0; i < axis->spans.count; i++) {
        struct span span = axis->spans.span[i];
        if (value >= span.low && value <= span.high)
            return before + (value - span.low);
        before += span.high - span.low + 1;
    }
    return 0;
}

enum verdict veer_rung_enumerate(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    const struct slice *slice = &ENGINE->slice;
    struct axis axes[MAX_LEAVES];
    uint64_t offsets[MAX_LEAVES];
    if (slice->leaf_count > MAX_LEAVES || !make_axes(literal, axes))
        return VERDICT_UNKNOWN;
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        offsets[i] = start_of(&axes[i], slice->values[i]);
        veer_set_leaf(slice->leaves[i], axis_value(&axes[i], offsets[i]), input);
    }
    do {
        veer_cone_run(input, length);
        if (holds(literal, want))
            return veer_slice_holds(literal, want, input, length) ? VERDICT_SAT : VERDICT_UNKNOWN;
    } while (step(axes, input, offsets));
    for (uint32_t i = 0; i < slice->leaf_count; i++)
        veer_set_leaf(slice->leaves[i], slice->values[i], input);
    return VERDICT_UNSAT;
}
