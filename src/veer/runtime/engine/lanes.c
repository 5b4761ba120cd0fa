/* Many-lane evaluation: one walk over a cone of expressions computes its values under up to 64 inputs at once. The
   values of an expression lie side by side, so that each operator is a loop that the compiler turns into vector
   instructions, and what a step costs (which operator, where its operands are) is paid once for all lanes.

       lane_values[position in the cone][lane]       the caller fills the columns of leaves, the walk the others */
#include "lanes.h"
#include "bits.h"
#include "node.h"
#include "semantics.h"
#include "tables.h"
#include "veer_shared.h"

static void fill(uint64_t *column, uint64_t value)
{
    for (uint32_t lane = 0; lane < LANES; lane++)
        column[lane] = value;
}

/* An expression of the cone as a step. The `value` of each of its operands is its position. */
struct lane_step veer_lane_step(uint32_t expression)
{
    const struct veer_node *node = node_of(expression);
    const uint64_t *position = EVALUATOR->value;
    uint32_t operands = veer_operand_count(node->op);
    struct lane_step step = {.op = node->op, .width = node->width};
    if (operands > 0) {
        step.operand_width = node_of(node->a)->width;
        step.a = (uint32_t)position[node->a];
        step.b = has_number(node->op) ? node->b : operands > 1 ? (uint32_t)position[node->b] : 0;
        step.c = operands > 2 ? (uint32_t)position[node->c] : 0;
    }
    return step;
}

/* Turns the cone that was built last into steps; `value` of each of its expressions is its position then. */
void veer_lanes_prepare(void)
{
    struct evaluator_state *evaluator = EVALUATOR;
    struct lanes_state *state = LANE_STATE;
    for (uint32_t at = 0; at < evaluator->cone_count; at++) {
        uint32_t id = evaluator->cone[at];
        const struct veer_node *node = node_of(id);
        state->steps[at] = veer_lane_step(id);
        if (node->op == VEER_OP_CONST)
            fill(state->values[at], node->value);
        if (node->op == VEER_OP_UNWRITTEN)
            fill(state->values[at], 0);
        if (node->op == VEER_OP_SLOT)
            fill(state->values[at], VEER_REGION(struct veer_slot, SLOTS)[node->a].value);
        evaluator->value[id] = at;
    }
}

/* The column of an expression of the cone, to be asked for before anything else is evaluated. */
uint64_t *veer_lanes_column(uint32_t expression)
{
    return LANE_STATE->values[EVALUATOR->value[expression]];
}

#define EACH_LANE(result)                \
    for (uint32_t i = 0; i < lanes; i++) \
    out[i] = (result)

static void bits_step(const struct lane_step *step, uint32_t lanes, uint64_t *restrict out, const uint64_t *x,
                      const uint64_t *y, const uint64_t *z)
{
    uint64_t mask = mask_of(step->width);
    uint32_t shift = 64u - step->operand_width, low_width = step->width - step->operand_width;
    switch (step->op) {
    case VEER_OP_ADD: EACH_LANE((x[i] + y[i]) & mask); break;
    case VEER_OP_SUB: EACH_LANE((x[i] - y[i]) & mask); break;
    case VEER_OP_MUL: EACH_LANE((x[i] * y[i]) & mask); break;
    case VEER_OP_AND: EACH_LANE(x[i] & y[i]); break;
    case VEER_OP_OR: EACH_LANE(x[i] | y[i]); break;
    case VEER_OP_XOR: EACH_LANE(x[i] ^ y[i]); break;
    case VEER_OP_NOT: EACH_LANE(~x[i] & mask); break;
    case VEER_OP_ZEXT: EACH_LANE(x[i]); break;
    case VEER_OP_SEXT: EACH_LANE((uint64_t)((int64_t)(x[i] << shift) >> shift) & mask); break;
    case VEER_OP_EXTRACT: EACH_LANE(x[i] >> step->b & mask); break;
    case VEER_OP_CONCAT: EACH_LANE(x[i] << low_width | y[i]); break;
    case VEER_OP_EQ: EACH_LANE(x[i] == y[i]); break;
    case VEER_OP_ULT: EACH_LANE(x[i] < y[i]); break;
    case VEER_OP_SLT: EACH_LANE((int64_t)(x[i] << shift) < (int64_t)(y[i] << shift)); break;
    case VEER_OP_ITE: EACH_LANE(x[i] ? y[i] : z[i]); break;
    default: EACH_LANE(veer_apply(step->op, step->width, step->operand_width, x[i], y[i], z[i])); break;
    }
}

/* The first `lanes` lanes of the cone's positions first .. end - 1. */
void veer_lanes_run(uint32_t first, uint32_t end, uint32_t lanes)
{
    struct lanes_state *state = LANE_STATE;
    for (uint32_t at = first; at < end; at++) {
        const struct lane_step *step = &state->steps[at];
        uint64_t *out = state->values[at];
        const uint64_t *x = state->values[step->a];
        if (!step->operand_width)
            continue;
        if (step->op == VEER_OP_LOOKUP) {
            for (uint32_t i = 0; i < lanes; i++)
                out[i] = veer_table_entry(step->b, x[i]);
            continue;
        }
        const uint64_t *y = step->op == VEER_OP_EXTRACT ? x : state->values[step->b];
        bits_step(step, lanes, out, x, y, state->values[step->c]);
    }
}
