/* All combinations of values of a few leaves, tried 64 at a time against a few literals: what the enumerating rungs
   share.

   Each leaf is an axis with the values that its domain leaves, from the parent's value on, around the end. Of values
   that do not differ in a bit which matters to a literal one is enough, so an empty grid proves that there is no such
   input. */
#include "grid.h"
#include "arena.h"
#include "bits.h"
#include "byte_set.h"
#include "evaluate.h"
#include "lanes.h"
#include "node.h"
#include "places.h"
#include "semantics.h"
#include "spans.h"
#include "veer_shared.h"

enum { GRID_VALUES = 1 << 17 }; /* of all leaves of a grid together */

struct grid_state {
    uint64_t values[GRID_VALUES];
};
ENGINE_STATE_FITS(grid);
#define GRID ENGINE_STATE(grid)

enum { MAX_COMBINATIONS = 1 << 18, MAX_WORK = 1 << 21 };

static int has_value(const struct byte_set *set, uint64_t value)
{
    return (int)(set->word[value >> 6] >> (value & 63) & 1);
}

/* Adds to the bits of its operands that matter those that the node makes matter: `bits` of its own. */
static void demand(const struct veer_node *node, uint64_t bits)
{
    uint64_t *wanted = EVALUATOR->value, fixed;
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

/* For each expression of the cone the bits that the literals depend on, left in `value`: from the results back to the
   leaves. Bits beyond an expression's width mean nothing. */
static void demand_bits(const struct residual *literals, uint32_t count)
{
    struct evaluator_state *evaluator = EVALUATOR;
    for (uint32_t i = 0; i < evaluator->cone_count; i++)
        evaluator->value[evaluator->cone[i]] = 0;
    for (uint32_t i = 0; i < count; i++)
        evaluator->value[literals[i].literal] = 1;
    for (uint32_t i = evaluator->cone_count; i-- > 0;)
        demand(node_of(evaluator->cone[i]), evaluator->value[evaluator->cone[i]]);
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

/* Appends a value, where there is room for it; counts it in any case. */
static void put(struct axis *axis, uint64_t value)
{
    if (axis->first + axis->size < GRID_VALUES)
        GRID->values[axis->first + axis->size] = value;
    axis->size++;
}

/* The values of a narrow leaf, from the parent's on. */
static void byte_values(struct axis *axis, uint64_t parent)
{
    struct byte_set set;
    uint32_t values = 1u << VEER_LEAVES[axis->leaf].width;
    uint64_t used = EVALUATOR->value[veer_leaf_expression(axis->leaf)] & (values - 1);
    veer_trail_byte_domain(axis->leaf, &set);
    if (used != values - 1)
        keep_one_of_each(&set, used, parent);
    uint64_t start = has_value(&set, parent) ? parent : 0;
    for (uint32_t i = 0; i < values; i++) {
        uint64_t value = (start + i) & (values - 1);
        if (has_value(&set, value))
            put(axis, value);
    }
}

/* The values of a wide leaf, from the parent's on; 0 = too many. */
static int span_values(struct axis *axis, uint64_t parent)
{
    struct spans spans;
    veer_trail_spans_domain(axis->leaf, &spans);
    uint64_t count = 0, start = veer_spans_contain(&spans, parent) ? parent : 0;
    for (uint32_t i = 0; i < spans.count; i++) {
        uint64_t more = spans.span[i].high - spans.span[i].low;
        if (more >= GRID_VALUES || (count += more + 1) > GRID_VALUES)
            return 0;
    }
    for (uint32_t turn = 0; turn < 2; turn++) { /* what is not below the start, then what is */
        for (uint32_t i = 0; i < spans.count; i++) {
            for (uint64_t k = 0; k <= spans.span[i].high - spans.span[i].low; k++) {
                uint64_t value = spans.span[i].low + k;
                if ((value < start) == turn)
                    put(axis, value);
            }
        }
    }
    return 1;
}

static int make_axis(struct axis *axis, uint32_t first)
{
    uint64_t parent = axis->parent;
    axis->first = first;
    axis->size = axis->position = 0;
    if (VEER_LEAVES[axis->leaf].width <= 8)
        byte_values(axis, parent);
    else if (!span_values(axis, parent))
        return 0;
    return axis->first + axis->size <= GRID_VALUES;
}

/* Lays the axes out; 0 = too many combinations. Wide leaves first: to see that one has too many values costs little. */
static int make_axes(struct grid *grid)
{
    uint32_t used = 0;
    uint64_t combinations = 1;
    for (uint32_t wide = 2; wide-- > 0;) {
        for (uint32_t i = 0; i < grid->axis_count; i++) {
            struct axis *axis = &grid->axes[i];
            if ((VEER_LEAVES[axis->leaf].width > 8) != wide)
                continue;
            if (!make_axis(axis, used))
                return 0;
            used += axis->size;
            combinations *= axis->size;
            if (combinations > MAX_COMBINATIONS || combinations * EVALUATOR->cone_count > MAX_WORK)
                return 0;
        }
    }
    grid->left = combinations;
    return 1;
}

/* Readies the grid over the leaves and literals that were entered (veer_grid_leaf, veer_grid_literal); 0 = too large.
   */
int veer_grid_make(struct grid *grid)
{
    uint32_t roots[GRID_LITERALS], end = 0;
    for (uint32_t i = 0; i < grid->literal_count; i++)
        roots[i] = grid->literals[i].literal;
    if (!veer_cone_build(roots, grid->literal_count))
        return 0;
    demand_bits(grid->literals, grid->literal_count);
    if (!make_axes(grid))
        return 0;
    veer_lanes_prepare();
    for (uint32_t i = 0; i < grid->axis_count; i++)
        grid->axes[i].column = veer_lanes_column(veer_leaf_expression(grid->axes[i].leaf));
    for (uint32_t i = 0; i < grid->literal_count; i++) {
        uint32_t position = (uint32_t)EVALUATOR->value[roots[i]];
        grid->columns[i] = LANE_STATE->values[position];
        grid->ends[i] = end = position + 1 > end ? position + 1 : end;
    }
    grid->hits = 0;
    return 1;
}

int veer_grid_leaf(struct grid *grid, uint32_t leaf, uint64_t parent)
{
    if (grid->axis_count == GRID_LEAVES)
        return 0;
    grid->axes[grid->axis_count++] = (struct axis){.leaf = leaf, .parent = parent};
    return 1;
}

int veer_grid_literal(struct grid *grid, uint32_t literal, uint32_t want)
{
    if (grid->literal_count == GRID_LITERALS)
        return 0;
    grid->literals[grid->literal_count++] = (struct residual){literal, want};
    return 1;
}

/* Puts the next combinations into the lanes; returns how many. */
static uint32_t next_batch(struct grid *grid)
{
    uint32_t lanes = grid->left < LANES ? (uint32_t)grid->left : LANES;
    for (uint32_t lane = 0; lane < lanes; lane++) {
        for (uint32_t i = 0; i < grid->axis_count; i++)
            grid->axes[i].column[lane] = GRID->values[grid->axes[i].first + grid->axes[i].position];
        for (uint32_t i = 0; i < grid->axis_count; i++) {
            if (++grid->axes[i].position < grid->axes[i].size)
                break;
            grid->axes[i].position = 0;
        }
    }
    grid->left -= lanes;
    return lanes;
}

/* The lanes in which all literals are as wanted. The literals' cones are computed as far as lanes are left. */
static uint64_t lanes_that_hold(const struct grid *grid, uint32_t lanes)
{
    uint64_t hold = lanes == LANES ? ~0ull : (1ull << lanes) - 1;
    uint32_t done = 0;
    for (uint32_t i = 0; i < grid->literal_count && hold; i++) {
        uint64_t is_so = 0, want = grid->literals[i].want;
        veer_lanes_run(done, grid->ends[i], lanes);
        done = grid->ends[i];
        for (uint32_t lane = 0; lane < lanes; lane++)
            is_so |= (uint64_t)(grid->columns[i][lane] == want) << lane;
        hold &= is_so;
    }
    return hold;
}

/* Puts the next combination that fulfils all literals into the input; 0 = there is none any more. Nothing else may use
   the lanes in between. */
int veer_grid_next(struct grid *grid, uint8_t *input)
{
    while (!grid->hits && grid->left)
        grid->hits = lanes_that_hold(grid, next_batch(grid));
    if (!grid->hits)
        return 0;
    uint32_t lane = (uint32_t)__builtin_ctzll(grid->hits);
    grid->hits &= grid->hits - 1;
    for (uint32_t i = 0; i < grid->axis_count; i++)
        veer_set_leaf(grid->axes[i].leaf, grid->axes[i].column[lane], input);
    return 1;
}
