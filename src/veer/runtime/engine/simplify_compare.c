/* Comparisons: canonical constants, narrowing below extensions, bijections undone. */
#include "simplify_compare.h"
#include "arena.h"
#include "bits.h"
#include "node.h"
#include "odd_inverse.h"

static uint32_t make(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    return veer_expression(op, width, a, b, 0);
}

static uint32_t negate(uint32_t a)
{
    return make(VEER_OP_NOT, 1, a, 0);
}

static uint32_t truth(int value)
{
    return veer_constant(1, (uint64_t)value);
}

/* x == constant for a concatenation with a constant part, or with two. */
static uint32_t equal_concat(const struct veer_node *node, uint64_t constant)
{
    uint32_t low_width = node_of(node->b)->width, high_width = node_of(node->a)->width;
    uint64_t part;
    if (veer_is_constant(node->b, &part)) {
        if (part != (constant & mask_of(low_width)))
            return truth(0);
        return make(VEER_OP_EQ, 1, node->a, veer_constant(high_width, constant >> low_width));
    }
    if (veer_is_constant(node->a, &part)) {
        if (part != constant >> low_width)
            return truth(0);
        return make(VEER_OP_EQ, 1, node->b, veer_constant(low_width, constant));
    }
    return 0;
}

/* (condition ? x : y) == constant with constant x and y. */
static uint32_t equal_choice(const struct veer_node *node, uint64_t constant)
{
    uint64_t yes, no;
    if (!veer_is_constant(node->b, &yes) || !veer_is_constant(node->c, &no))
        return 0;
    if (yes == constant)
        return no == constant ? truth(1) : node->a;
    return no == constant ? negate(node->a) : truth(0);
}

static uint32_t equal_constant(uint32_t a, uint64_t constant)
{
    const struct veer_node *node = node_of(a);
    uint32_t width = node->width, inner = node->a;
    uint64_t other;
    if (width == 1)
        return constant ? a : negate(a);
    switch (node->op) {
    case VEER_OP_ADD:
        return veer_is_constant(node->b, &other) ? make(VEER_OP_EQ, 1, inner, veer_constant(width, constant - other))
                                                 : 0;
    case VEER_OP_SUB:
        if (veer_is_constant(inner, &other))
            return make(VEER_OP_EQ, 1, node->b, veer_constant(width, other - constant));
        return constant == 0 ? make(VEER_OP_EQ, 1, inner, node->b) : 0;
    case VEER_OP_XOR:
        if (veer_is_constant(node->b, &other))
            return make(VEER_OP_EQ, 1, inner, veer_constant(width, constant ^ other));
        return constant == 0 ? make(VEER_OP_EQ, 1, inner, node->b) : 0;
    case VEER_OP_MUL:
        if (!veer_is_constant(node->b, &other) || (other & 1) == 0)
            return 0;
        return make(VEER_OP_EQ, 1, inner, veer_constant(width, constant * odd_inverse(other)));
    case VEER_OP_AND: return veer_is_constant(node->b, &other) && (constant & ~other) ? truth(0) : 0;
    case VEER_OP_OR: return veer_is_constant(node->b, &other) && (other & ~constant) ? truth(0) : 0;
    case VEER_OP_ZEXT:
        if (constant > mask_of(node_of(inner)->width))
            return truth(0);
        return make(VEER_OP_EQ, 1, inner, veer_constant(node_of(inner)->width, constant));
    case VEER_OP_SEXT:
        if (((uint64_t)sign_extend(constant, node_of(inner)->width) & mask_of(width)) != constant)
            return truth(0);
        return make(VEER_OP_EQ, 1, inner, veer_constant(node_of(inner)->width, constant));
    case VEER_OP_CONCAT: return equal_concat(node, constant);
    case VEER_OP_ITE: return equal_choice(node, constant);
    default: return 0;
    }
}

/* a == b; the constant, if any, is b. 0 = no rule applies. */
uint32_t veer_simplify_equal(uint32_t a, uint32_t b)
{
    uint64_t constant, other;
    if (a == b)
        return truth(1);
    if (veer_is_constant(b, &constant))
        return equal_constant(a, constant);
    const struct veer_node *left = node_of(a), *right = node_of(b);
    int same_inner = left->op == right->op && node_of(left->a)->width == node_of(right->a)->width;
    if ((left->op == VEER_OP_ZEXT || left->op == VEER_OP_SEXT) && same_inner)
        return make(VEER_OP_EQ, 1, left->a, right->a);
    if ((left->op == VEER_OP_ADD || left->op == VEER_OP_XOR) && left->op == right->op && left->b == right->b)
        return make(VEER_OP_EQ, 1, left->a, right->a);
    if (left->op == VEER_OP_ADD && left->a == b && veer_is_constant(left->b, &other))
        return truth(0); /* x + c == x with c != 0 */
    if (right->op == VEER_OP_ADD && right->a == a && veer_is_constant(right->b, &other))
        return truth(0);
    if (left->op == VEER_OP_NOT && right->op == VEER_OP_NOT)
        return make(VEER_OP_EQ, 1, left->a, right->a);
    return 0;
}

static uint32_t unsigned_below_constant(uint32_t a, uint64_t constant)
{
    const struct veer_node *node = node_of(a);
    if (constant == 0)
        return truth(0);
    if (constant == 1)
        return make(VEER_OP_EQ, 1, a, veer_constant(node->width, 0));
    if (constant == mask_of(node->width))
        return negate(make(VEER_OP_EQ, 1, a, veer_constant(node->width, constant)));
    if (node->op != VEER_OP_ZEXT)
        return 0;
    uint32_t inner_width = node_of(node->a)->width;
    if (constant > mask_of(inner_width))
        return truth(1);
    return make(VEER_OP_ULT, 1, node->a, veer_constant(inner_width, constant));
}

static uint32_t signed_below_constant(uint32_t a, uint64_t constant)
{
    const struct veer_node *node = node_of(a);
    uint32_t width = node->width;
    int64_t bound = sign_extend(constant, width), least = sign_extend(sign_bit(width), width);
    if (bound == least)
        return truth(0);
    if (bound == least + 1)
        return make(VEER_OP_EQ, 1, a, veer_constant(width, (uint64_t)least));
    if (bound == -(least + 1))
        return negate(make(VEER_OP_EQ, 1, a, veer_constant(width, constant)));
    uint32_t inner_width = node->op == VEER_OP_ZEXT || node->op == VEER_OP_SEXT ? node_of(node->a)->width : 0;
    if (node->op == VEER_OP_ZEXT) {
        if (bound <= 0)
            return truth(0);
        return (uint64_t)bound > mask_of(inner_width)
                   ? truth(1)
                   : make(VEER_OP_ULT, 1, node->a, veer_constant(inner_width, constant));
    }
    if (node->op == VEER_OP_SEXT) {
        int64_t inner_least = sign_extend(sign_bit(inner_width), inner_width);
        if (bound <= inner_least)
            return truth(0);
        return bound > -(inner_least + 1) ? truth(1)
                                          : make(VEER_OP_SLT, 1, node->a, veer_constant(inner_width, constant));
    }
    return 0;
}

/* constant < b is not (b < constant + 1). */
static uint32_t constant_below(uint32_t op, uint32_t width, uint64_t constant, uint32_t b)
{
    uint64_t greatest = op == VEER_OP_ULT ? mask_of(width) : mask_of(width) >> 1;
    if (constant == greatest)
        return truth(0);
    return negate(make(op, 1, b, veer_constant(width, constant + 1)));
}

/* ULT or SLT. 0 = no rule applies. */
uint32_t veer_simplify_below(uint32_t op, uint32_t a, uint32_t b)
{
    uint64_t constant;
    if (a == b)
        return truth(0);
    const struct veer_node *left = node_of(a), *right = node_of(b);
    if (left->width == 1) {
        uint32_t low = op == VEER_OP_ULT ? a : b, high = op == VEER_OP_ULT ? b : a;
        return make(VEER_OP_AND, 1, negate(low), high);
    }
    if (veer_is_constant(b, &constant))
        return op == VEER_OP_ULT ? unsigned_below_constant(a, constant) : signed_below_constant(a, constant);
    if (veer_is_constant(a, &constant))
        return constant_below(op, left->width, constant, b);
    if (left->op != right->op || (left->op != VEER_OP_ZEXT && left->op != VEER_OP_SEXT))
        return 0;
    if (node_of(left->a)->width != node_of(right->a)->width)
        return 0;
    /* both extensions keep the order of their own kind; a sign extension keeps the unsigned order as well */
    return make(left->op == VEER_OP_ZEXT ? VEER_OP_ULT : op, 1, left->a, right->a);
}
