/* Expressions over values that nobody has written: what they depend on, and what they are without them. */
#include "unwritten.h"
#include "arena.h"
#include "bits.h"
#include "evaluate.h"
#include "hash.h"
#include "places.h"
#include "semantics.h"
#include "veer_wire.h"

enum {
    MOST_NODES = 1 << 12, /* of one expression that hold unwritten values */
    PLACES = 1 << 13,
    SEEDS = 4                     /* random fillings that are tried */
};

struct unwritten_state {
    uint32_t count;
    uint32_t order[MOST_NODES];    /* operands first */
    uint32_t rebuilt[MOST_NODES];  /* what each is without unwritten values */
    uint32_t stack[3 * MOST_NODES];
    uint32_t places[PLACES];       /* index into `order` + 1, by hash of the id */
};
ENGINE_STATE_FITS(unwritten);
#define UNWRITTEN ENGINE_STATE(unwritten)

/* 64 bits that nobody wrote; `what` says which (the values of UNWRITTEN in wire/enumerations.py). */
uint32_t veer_unwritten(uint64_t what)
{
    return veer_arena_intern(VEER_OP_UNWRITTEN, 64, 0, 0, 0, what);
}

static uint32_t *place_of(uint32_t id)
{
    uint32_t slot = (uint32_t)mix(id, 0) & (PLACES - 1);
    while (UNWRITTEN->places[slot] && UNWRITTEN->order[UNWRITTEN->places[slot] - 1] != id)
        slot = (slot + 1) & (PLACES - 1);
    return &UNWRITTEN->places[slot];
}

/* Pushes the operands that hold unwritten values and are not listed; how many. */
static uint32_t push_operands(uint32_t id, uint32_t top)
{
    const struct veer_node *node = node_of(id);
    uint32_t operands = veer_operand_count(node->op), start = top;
    const uint32_t operand[3] = {node->a, node->b, node->c};
    for (uint32_t i = 0; i < operands; i++)
        if (!(i == 1 && has_number(node->op)) && veer_holds_unwritten(operand[i]) && !*place_of(operand[i]))
            UNWRITTEN->stack[top++] = operand[i];
    return top - start;
}

/* Lists all nodes of the expression that hold unwritten values, operands first. Returns 0 if they are too many. */
static int list(uint32_t expression)
{
    struct unwritten_state *state = UNWRITTEN;
    uint32_t top = 0;
    __builtin_memset(state->places, 0, sizeof state->places);
    state->count = 0;
    state->stack[top++] = expression;
    while (top) {
        uint32_t id = state->stack[top - 1], pushed = 0;
        if (top + 3 > 3 * MOST_NODES)
            return 0;
        if (!*place_of(id))
            pushed = push_operands(id, top);
        top += pushed;
        if (pushed)
            continue;
        top--;
        if (*place_of(id))
            continue;
        if (state->count == MOST_NODES)
            return 0;
        state->order[state->count++] = id;
        *place_of(id) = state->count;
    }
    return 1;
}

static uint64_t value_with(uint32_t expression, uint32_t seed, uint64_t bits, const uint8_t *input, uint32_t length)
{
    EVALUATOR->fill_seed = seed;
    EVALUATOR->fill = bits;
    veer_evaluate_begin(input, length);
    return veer_evaluate(expression);
}

/* A constant of `width` bits in all places of a 64-bit value where such a number may lie. */
static uint64_t repeated(uint64_t value, uint32_t width)
{
    uint64_t all = 0;
    value &= mask_of(width);
    for (uint32_t at = 0; at < 64; at += width < 8 ? 8 : width)
        all |= value << at;
    return all;
}

/* Adds a filling that is not there yet, while there is room; 0 is none. */
static uint32_t with_filling(uint64_t *fillings, uint32_t count, uint64_t filling)
{
    for (uint32_t k = 0; k < count; k++)
        if (fillings[k] == filling)
            return count;
    if (filling == 0 || count == MOST_FILLINGS)
        return count;
    fillings[count] = filling;
    return count + 1;
}

/* What the places that nobody wrote may hold, beside zeros: ones, and the constants that the expression is made with, and their
   neighbours. They hang on the form of the expression alone. Returns how many there are. */
uint32_t veer_unwritten_fillings(uint32_t expression, uint64_t *fillings)
{
    uint32_t count = with_filling(fillings, 0, ~0ull);
    if (!list(expression))
        return count;
    for (uint32_t i = 0; i < UNWRITTEN->count; i++) {
        const struct veer_node *node = node_of(UNWRITTEN->order[i]);
        if (veer_operand_count(node->op) < 2 || has_number(node->op))
            continue;
        const uint32_t operand[2] = {node->a, node->b};
        for (uint32_t k = 0; k < 2; k++) {
            const struct veer_node *constant = node_of(operand[k]);
            for (uint64_t near = 0; constant->op == VEER_OP_CONST && near < 3; near++)
                count = with_filling(fillings, count, repeated(constant->value + near - 1, constant->width));
        }
    }
    return count;
}

/* Whether the expression's value under the input changes with what is in memory that nobody wrote. A yes is certain. */
int veer_depends_on_unwritten(uint32_t expression, const uint8_t *input, uint32_t length)
{
    uint64_t first = value_with(expression, 0, 0, input, length), fillings[MOST_FILLINGS];
    uint32_t count = veer_unwritten_fillings(expression, fillings);
    int differs = 0;
    for (uint32_t k = 0; k < count && !differs; k++)
        differs = value_with(expression, 0, fillings[k], input, length) != first;
    for (uint32_t seed = 1; seed <= SEEDS && !differs; seed++)
        differs = value_with(expression, seed, 0, input, length) != first;
    value_with(expression, 0, 0, input, length);
    return differs;
}

/* Which value nobody wrote: the first of the expression. */
uint64_t veer_what_is_unwritten(uint32_t expression)
{
    if (!veer_holds_unwritten(expression) || !list(expression))
        return 0;
    return node_of(UNWRITTEN->order[0])->value;
}

static uint32_t without(uint32_t id)
{
    uint32_t place = veer_holds_unwritten(id) ? *place_of(id) : 0;
    return place ? UNWRITTEN->rebuilt[place - 1] : id;
}

static uint32_t rebuild(const struct veer_node *node, uint64_t bits)
{
    if (node->op == VEER_OP_UNWRITTEN)
        return veer_constant(node->width, bits);
    uint32_t operands = veer_operand_count(node->op);
    uint32_t b = operands > 1 && !has_number(node->op) ? without(node->b) : node->b;
    uint32_t c = operands > 2 ? without(node->c) : node->c;
    return veer_expression(node->op, node->width, without(node->a), b, c);
}

/* The expression with these bits for each value that nobody wrote; 0 = no room. */
uint32_t veer_with_unwritten_as(uint32_t expression, uint64_t bits)
{
    if (!veer_holds_unwritten(expression))
        return expression;
    if (!list(expression))
        return 0;
    for (uint32_t i = 0; i < UNWRITTEN->count; i++) {
        uint32_t made = rebuild(node_of(UNWRITTEN->order[i]), bits);
        if (!made)
            return 0;
        UNWRITTEN->rebuilt[i] = made;
    }
    return UNWRITTEN->rebuilt[UNWRITTEN->count - 1];
}
