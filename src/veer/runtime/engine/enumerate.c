/* Enumeration: all values of all leaves of a slice, where they are few. Exact, also when nothing is found. */
#include "engine.h"

enum { MAX_COMBINATIONS = 1 << 16, MAX_WORK = 1 << 20, MAX_LEAVES = 16 };

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

static void byte_axis(uint32_t leaf, struct spans *spans)
{
    struct byte_set set;
    veer_trail_byte_domain(leaf, &set);
    spans->count = 0;
    for (uint32_t value = 0; value < 1u << VEER_LEAVES[leaf].width; value++) {
        if (!(set.word[value >> 6] >> (value & 63) & 1))
            continue;
        if (spans->count && spans->span[spans->count - 1].high + 1 == value)
            spans->span[spans->count - 1].high = value;
        else
            spans->span[spans->count++] = (struct span){value, value};
    }
}

/* Fills the axis; 0 = too many values. */
static int make_axis(uint32_t leaf, struct axis *axis)
{
    if (VEER_LEAVES[leaf].width <= 8)
        byte_axis(leaf, &axis->spans);
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

/* Lists the cone of the literal and the slice's constraints, the literal first so that it is looked at first. */
static int build(uint32_t literal)
{
    const struct slice *slice = &ENGINE->slice;
    uint32_t roots[1 + 64];
    if (slice->residual_count > 64)
        return 0;
    roots[0] = literal;
    for (uint32_t i = 0; i < slice->residual_count; i++)
        roots[i + 1] = ENGINE->residuals[slice->residuals[i]].literal;
    return veer_cone_build(roots, slice->residual_count + 1);
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
    uint64_t offsets[MAX_LEAVES], combinations = 1;
    if (slice->leaf_count > MAX_LEAVES)
        return VERDICT_UNKNOWN;
    for (uint32_t i = 0; i < slice->leaf_count; i++) {
        if (!make_axis(slice->leaves[i], &axes[i]) || axes[i].size == 0)
            return VERDICT_UNKNOWN;
        combinations *= axes[i].size;
        if (combinations > MAX_COMBINATIONS)
            return VERDICT_UNKNOWN;
    }
    if (!build(literal) || combinations * ENGINE->cone_count > MAX_WORK)
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
