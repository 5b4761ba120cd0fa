/* Values of expressions under an input, memoised for one expression after another, and the cone of expressions that is
   evaluated under many inputs (lanes.c). Neither recurses: a DAG may be as deep as a run is long. */
#include "evaluate.h"
#include "bits.h"
#include "hash.h"
#include "node.h"
#include "semantics.h"
#include "veer_shared.h"
#include <string.h>

uint64_t veer_leaf_value(uint32_t leaf, const uint8_t *input, uint32_t length)
{
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint32_t bytes = (record->width + 7u) / 8u;
    uint64_t value = 0;
    if (record->input_offset < length) {
        uint32_t there = length - record->input_offset;
        if (there >= bytes)
            value = veer_read_bytes(input + record->input_offset, bytes);
        else
            memcpy(&value, input + record->input_offset, there);
    }
    return value & mask_of(record->width);
}

/* Writes a leaf's value; the caller has made room. */
void veer_set_leaf(uint32_t leaf, uint64_t value, uint8_t *input)
{
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    memcpy(input + record->input_offset, &value, (record->width + 7u) / 8u);
}

void veer_evaluate_attach(void)
{
    EVALUATOR->generation = 1;
}

static void next_generation(void)
{
    if (++EVALUATOR->generation == 0) {
        memset(EVALUATOR->stamp, 0, sizeof EVALUATOR->stamp);
        EVALUATOR->generation = 1;
    }
}

void veer_evaluate_begin(const uint8_t *input, uint32_t length)
{
    next_generation();
    EVALUATOR->input = input;
    EVALUATOR->input_length = length;
}

/* What memory that nobody wrote is taken to hold in this evaluation (unwritten.c). */
static uint64_t unwritten_value(const struct veer_node *node)
{
    uint64_t value = EVALUATOR->fill_seed ? mix(EVALUATOR->fill_seed, node->value + 1) : EVALUATOR->fill;
    return value & mask_of(node->width);
}

static uint64_t value_of(const struct veer_node *node)
{
    const uint64_t *value = EVALUATOR->value;
    uint32_t operands = veer_operand_count(node->op);
    if (operands == 0 && node->op == VEER_OP_UNWRITTEN)
        return unwritten_value(node);
    if (operands == 0 && node->op == VEER_OP_SLOT)
        return VEER_REGION(struct veer_slot, SLOTS)[node->a].value;
    if (operands == 0)
        return node->op == VEER_OP_CONST ? node->value : veer_leaf_value(node->a, EVALUATOR->input, EVALUATOR->input_length);
    uint64_t b = has_number(node->op) ? node->b : operands > 1 ? value[node->b] : 0;
    return veer_apply(node->op, node->width, node_of(node->a)->width, value[node->a], b,
                      operands > 2 ? value[node->c] : 0);
}

/* Pushes the operands that this generation has not seen; returns how many. */
static uint32_t push_operands(const struct veer_node *node, uint32_t top)
{
    uint32_t operands = veer_operand_count(node->op), start = top;
    const uint32_t operand[3] = {node->a, node->b, node->c};
    for (uint32_t i = operands; i-- > 0;) {
        if (EVALUATOR->stamp[operand[i]] != EVALUATOR->generation)
            EVALUATOR->stack[top++] = operand[i];
    }
    return top - start;
}

uint64_t veer_evaluate(uint32_t expression)
{
    struct evaluator_state *evaluator = EVALUATOR;
    uint32_t generation = evaluator->generation, top = 0, visited = 0;
    if (evaluator->stamp[expression] == generation)
        return evaluator->value[expression];
    evaluator->stack[top++] = expression;
    while (top) {
        uint32_t id = evaluator->stack[top - 1];
        const struct veer_node *node = node_of(id);
        uint32_t pushed = evaluator->stamp[id] == generation ? 0 : push_operands(node, top);
        if (pushed) {
            top += pushed;
            continue;
        }
        top--;
        if (evaluator->stamp[id] != generation) {
            evaluator->value[id] = value_of(node);
            evaluator->stamp[id] = generation;
            visited++;
        }
    }
    VEER_CONTROL->evaluated_nodes += visited;
    return evaluator->value[expression];
}

/* Lists everything under the roots, operands first, one root after the other. Returns 0 if that is too much. */
int veer_cone_build(const uint32_t *roots, uint32_t count)
{
    struct evaluator_state *evaluator = EVALUATOR;
    uint32_t top = 0;
    next_generation();
    evaluator->cone_count = 0;
    for (uint32_t root = 0; root < count; root++) {
        evaluator->stack[top++] = roots[root];
        while (top) {
            uint32_t id = evaluator->stack[top - 1];
            uint32_t pushed = evaluator->stamp[id] == evaluator->generation ? 0 : push_operands(node_of(id), top);
            if (pushed) {
                top += pushed;
                continue;
            }
            top--;
            if (evaluator->stamp[id] == evaluator->generation)
                continue;
            evaluator->stamp[id] = evaluator->generation;
            if (evaluator->cone_count == CONE_LIMIT)
                return 0;
            evaluator->cone[evaluator->cone_count++] = id;
        }
    }
    next_generation(); /* the stamps of this walk say nothing about values */
    return 1;
}
