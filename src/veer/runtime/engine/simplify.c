/* Rewrites an expression to a canonical, smaller one of the same value under every input. Each rule either returns an
   existing or constructed expression, or 0 for "does not apply"; what no rule changes is interned as it is.

   Canonical forms: a constant is the right operand, else the smaller id is the left one (commutative operators); x - c
   is x + (-c); comparisons are EQ, ULT, SLT and NOT alone; constant shifts are EXTRACT, ZEXT, SEXT and CONCAT; bytes
   that are joined by shifts and ors are a CONCAT; x / 2 of floats is x * 0.5. */
#include "simplify.h"
#include "arena.h"
#include "bits.h"
#include "node.h"
#include "semantics.h"
#include "simplify_bits.h"
#include "simplify_compare.h"
#include "unwritten.h"

static uint32_t make(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    return veer_expression(op, width, a, b, 0);
}

static int is_commutative(uint32_t op)
{
    return op == VEER_OP_ADD || op == VEER_OP_MUL || op == VEER_OP_AND || op == VEER_OP_OR || op == VEER_OP_XOR ||
           op == VEER_OP_EQ;
}

static int is_zero_extension(uint32_t a)
{
    return node_of(a)->op == VEER_OP_ZEXT;
}

/* (x op c1) op c2 → x op (c1 op c2), for an associative operator. */
static uint32_t fold_chain(uint32_t op, uint32_t width, uint32_t a, uint64_t constant)
{
    const struct veer_node *node = node_of(a);
    uint64_t inner;
    if (node->op != op || !veer_is_constant(node->b, &inner))
        return 0;
    return make(op, width, node->a, veer_constant(width, veer_apply(op, width, width, inner, constant, 0)));
}

static uint32_t add_constant(uint32_t width, uint32_t a, uint64_t constant)
{
    if (constant == 0)
        return a;
    const struct veer_node *node = node_of(a);
    uint64_t left;
    if (node->op == VEER_OP_SUB && veer_is_constant(node->a, &left))
        return make(VEER_OP_SUB, width, veer_constant(width, left + constant), node->b);
    return fold_chain(VEER_OP_ADD, width, a, constant);
}

static uint32_t simplify_add(uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t constant;
    if (veer_is_constant(b, &constant))
        return add_constant(width, a, constant);
    const struct veer_node *left = node_of(a), *right = node_of(b);
    if (left->op == VEER_OP_ADD && veer_is_constant(left->b, &constant))
        return make(VEER_OP_ADD, width, make(VEER_OP_ADD, width, left->a, b), left->b);
    if (right->op == VEER_OP_ADD && veer_is_constant(right->b, &constant))
        return make(VEER_OP_ADD, width, make(VEER_OP_ADD, width, a, right->a), right->b);
    if (left->op == VEER_OP_SUB && left->b == b)
        return left->a;
    if (right->op == VEER_OP_SUB && right->b == a)
        return right->a;
    return veer_simplify_disjoint(width, a, b);
}

static uint32_t simplify_subtract(uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t constant;
    if (a == b)
        return veer_constant(width, 0);
    if (veer_is_constant(b, &constant))
        return make(VEER_OP_ADD, width, a, veer_constant(width, 0 - constant));
    const struct veer_node *left = node_of(a), *right = node_of(b);
    if (right->op == VEER_OP_ADD && veer_is_constant(right->b, &constant))
        return make(VEER_OP_ADD, width, make(VEER_OP_SUB, width, a, right->a), veer_constant(width, 0 - constant));
    if (left->op == VEER_OP_ADD && veer_is_constant(left->b, &constant))
        return make(VEER_OP_ADD, width, make(VEER_OP_SUB, width, left->a, b), left->b);
    if (left->op == VEER_OP_ADD && left->a == b)
        return left->b;
    if (left->op == VEER_OP_ADD && left->b == b)
        return left->a;
    uint64_t zero;
    if (right->op == VEER_OP_SUB && veer_is_constant(right->a, &zero) && zero == 0)
        return make(VEER_OP_ADD, width, a, right->b);
    return 0;
}

static uint32_t simplify_multiply(uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t constant;
    if (!veer_is_constant(b, &constant))
        return 0;
    if (constant == 0)
        return b;
    if (constant == 1)
        return a;
    return fold_chain(VEER_OP_MUL, width, a, constant);
}

/* The bits of 1 / c, for the bits of a power of two c whose reciprocal is normal; else 0. */
static uint64_t exact_reciprocal(uint32_t width, uint64_t c)
{
    uint32_t fraction_bits = width == 64 ? 52 : 23;
    uint64_t bias = width == 64 ? 1023 : 127, exponent = (c & ~sign_bit(width)) >> fraction_bits;
    if ((c & mask_of(fraction_bits)) != 0 || exponent == 0 || exponent >= 2 * bias)
        return 0;
    return (c & sign_bit(width)) | (2 * bias - exponent) << fraction_bits;
}

/* x / 2 → x * 0.5 and 0.5 * x → x * 0.5, where no bit of the result changes: not for two NaNs, whose order counts. */
static uint32_t simplify_float(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t constant;
    if (op == VEER_OP_FDIV) {
        uint64_t reciprocal = veer_is_constant(b, &constant) ? exact_reciprocal(width, constant) : 0;
        return reciprocal ? make(VEER_OP_FMUL, width, a, veer_constant(width, reciprocal)) : 0;
    }
    int is_number = veer_is_constant(a, &constant) && !veer_apply(VEER_OP_FUNO, 1, width, constant, constant, 0);
    return is_number ? make(op, width, b, a) : 0;
}

/* A division whose operands are zero-extended or constant is done in the smaller width. */
static uint32_t narrow_division(uint32_t op, uint32_t width, uint32_t a, uint64_t divisor)
{
    uint32_t inner = node_of(a)->a, inner_width = node_of(inner)->width;
    if (divisor > mask_of(inner_width))
        return op == VEER_OP_UDIV ? veer_constant(width, 0) : a;
    return make(VEER_OP_ZEXT, width, make(op, inner_width, inner, veer_constant(inner_width, divisor)), 0);
}

static uint32_t simplify_divide(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t divisor;
    if (!veer_is_constant(b, &divisor) || divisor == 0)
        return 0;
    int is_signed = op == VEER_OP_SDIV || op == VEER_OP_SREM, is_quotient = op == VEER_OP_SDIV || op == VEER_OP_UDIV;
    if (divisor == 1)
        return is_quotient ? a : veer_constant(width, 0);
    if (is_signed) {
        if (!is_zero_extension(a) || divisor >= sign_bit(width) || node_of(node_of(a)->a)->width >= width)
            return 0;
        return make(is_quotient ? VEER_OP_UDIV : VEER_OP_UREM, width, a, b);
    }
    if ((divisor & (divisor - 1)) == 0) {
        uint32_t bits = (uint32_t)__builtin_ctzll(divisor);
        return is_quotient ? make(VEER_OP_LSHR, width, a, veer_constant(width, bits))
                           : make(VEER_OP_AND, width, a, veer_constant(width, divisor - 1));
    }
    return is_zero_extension(a) ? narrow_division(op, width, a, divisor) : 0;
}

/* ZEXT(x) op c → ZEXT(x op c) where the constant (or what matters of it) fits x. */
static uint32_t narrow_bitwise(uint32_t op, uint32_t width, uint32_t a, uint64_t constant)
{
    uint32_t inner = node_of(a)->a, inner_width = node_of(inner)->width;
    if (op != VEER_OP_AND && constant > mask_of(inner_width))
        return 0;
    return make(VEER_OP_ZEXT, width, make(op, inner_width, inner, veer_constant(inner_width, constant)), 0);
}

static uint32_t bitwise_constant(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint64_t constant)
{
    uint64_t all = mask_of(width);
    if (constant == 0)
        return op == VEER_OP_AND ? b : a;
    if (constant == all) {
        if (op == VEER_OP_XOR)
            return width == 1 ? make(VEER_OP_NOT, 1, a, 0) : fold_chain(op, width, a, constant);
        return op == VEER_OP_AND ? a : b;
    }
    uint32_t parts = op != VEER_OP_XOR && veer_holds_unwritten(a) ? veer_simplify_masked(op, width, a, constant) : 0;
    if (parts)
        return parts;
    uint32_t folded = fold_chain(op, width, a, constant);
    if (folded)
        return folded;
    if (is_zero_extension(a))
        return narrow_bitwise(op, width, a, constant);
    uint32_t low_bits = (uint32_t)__builtin_popcountll(constant);
    if (op == VEER_OP_AND && constant == mask_of(low_bits) && low_bits % 8 == 0)
        return make(VEER_OP_ZEXT, width, make(VEER_OP_EXTRACT, low_bits, a, 0), 0);
    return 0;
}

static uint32_t simplify_bitwise(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t constant;
    if (a == b)
        return op == VEER_OP_XOR ? veer_constant(width, 0) : a;
    if (veer_is_constant(b, &constant))
        return bitwise_constant(op, width, a, b, constant);
    if (width == 1) {
        const struct veer_node *left = node_of(a), *right = node_of(b);
        if ((left->op == VEER_OP_NOT && left->a == b) || (right->op == VEER_OP_NOT && right->a == a))
            return veer_constant(1, op != VEER_OP_AND);
        if (op == VEER_OP_XOR)
            return make(VEER_OP_NOT, 1, make(VEER_OP_EQ, 1, a, b), 0);
        return 0;
    }
    return op == VEER_OP_AND ? 0 : veer_simplify_disjoint(width, a, b);
}

/* Constant amounts become extractions, extensions and concatenations. */
static uint32_t simplify_shift(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    uint64_t amount, value;
    if (veer_is_constant(a, &value) && value == 0)
        return a;
    if (!veer_is_constant(b, &amount))
        return 0;
    if (amount == 0)
        return a;
    if (amount >= width) {
        if (op != VEER_OP_ASHR)
            return veer_constant(width, 0);
        amount = width - 1;
    }
    uint32_t bits = (uint32_t)amount, rest = width - bits;
    if (op == VEER_OP_SHL)
        return make(VEER_OP_CONCAT, width, make(VEER_OP_EXTRACT, rest, a, 0), veer_constant(bits, 0));
    return make(op == VEER_OP_LSHR ? VEER_OP_ZEXT : VEER_OP_SEXT, width, make(VEER_OP_EXTRACT, rest, a, bits), 0);
}

static uint32_t simplify_not(uint32_t width, uint32_t a)
{
    if (width > 1)
        return make(VEER_OP_XOR, width, a, veer_constant(width, ~0ull));
    return node_of(a)->op == VEER_OP_NOT ? node_of(a)->a : 0;
}

static uint32_t simplify_choice(uint32_t width, uint32_t condition, uint32_t yes, uint32_t no)
{
    uint64_t constant, other;
    if (veer_is_constant(condition, &constant))
        return constant ? yes : no;
    if (yes == no)
        return yes;
    if (node_of(condition)->op == VEER_OP_NOT)
        return veer_expression(VEER_OP_ITE, width, node_of(condition)->a, no, yes);
    if (node_of(yes)->op == VEER_OP_ITE && node_of(yes)->a == condition)
        return veer_expression(VEER_OP_ITE, width, condition, node_of(yes)->b, no);
    if (node_of(no)->op == VEER_OP_ITE && node_of(no)->a == condition)
        return veer_expression(VEER_OP_ITE, width, condition, yes, node_of(no)->c);
    if (veer_is_constant(yes, &constant) && veer_is_constant(no, &other) && constant <= 1 && other <= 1)
        return make(VEER_OP_ZEXT, width, constant ? condition : make(VEER_OP_NOT, 1, condition, 0), 0);
    return 0;
}

/* All operands constant: the value. */
static uint32_t fold(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t operands = veer_operand_count(op);
    uint64_t x, y = 0, z = 0;
    if (!veer_is_constant(a, &x) || (operands > 1 && !veer_is_constant(b, &y)) ||
        (operands > 2 && !veer_is_constant(c, &z)))
        return 0;
    if (has_number(op))
        y = b;
    return veer_constant(width, veer_apply(op, width, node_of(a)->width, x, y, z));
}

static uint32_t rewrite(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    switch (op) {
    case VEER_OP_ADD: return simplify_add(width, a, b);
    case VEER_OP_SUB: return simplify_subtract(width, a, b);
    case VEER_OP_MUL: return simplify_multiply(width, a, b);
    case VEER_OP_UDIV:
    case VEER_OP_SDIV:
    case VEER_OP_UREM:
    case VEER_OP_SREM: return simplify_divide(op, width, a, b);
    case VEER_OP_AND:
    case VEER_OP_OR:
    case VEER_OP_XOR: return simplify_bitwise(op, width, a, b);
    case VEER_OP_SHL:
    case VEER_OP_LSHR:
    case VEER_OP_ASHR: return simplify_shift(op, width, a, b);
    case VEER_OP_EQ: return veer_simplify_equal(a, b);
    case VEER_OP_ULT:
    case VEER_OP_SLT: return veer_simplify_below(op, a, b);
    case VEER_OP_ULE: return make(VEER_OP_NOT, 1, make(VEER_OP_ULT, 1, b, a), 0);
    case VEER_OP_SLE: return make(VEER_OP_NOT, 1, make(VEER_OP_SLT, 1, b, a), 0);
    case VEER_OP_NOT: return simplify_not(width, a);
    case VEER_OP_ZEXT:
    case VEER_OP_SEXT: return veer_simplify_extend(op, width, a);
    case VEER_OP_EXTRACT: return veer_simplify_extract(width, a, b);
    case VEER_OP_CONCAT: return veer_simplify_concat(a, b);
    case VEER_OP_ITE: return simplify_choice(width, a, b, c);
    case VEER_OP_FADD:
    case VEER_OP_FMUL:
    case VEER_OP_FDIV: return simplify_float(op, width, a, b);
    case VEER_OP_FNEG: return node_of(a)->op == VEER_OP_FNEG ? node_of(a)->a : 0;
    case VEER_OP_FPEXT:
    case VEER_OP_FPTRUNC: return node_of(a)->width == width ? a : 0;
    default: return 0;
    }
}

/* The canonical form of a well-formed expression; 0 = no room. */
uint32_t veer_simplify(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c)
{
    uint32_t folded = fold(op, width, a, b, c);
    if (folded)
        return folded;
    uint64_t constant;
    if (is_commutative(op)) {
        int left = veer_is_constant(a, &constant), right = veer_is_constant(b, &constant);
        if (left || (!right && a > b)) {
            uint32_t swap = a;
            a = b;
            b = swap;
        }
    }
    uint32_t simpler = rewrite(op, width, a, b, c);
    return simpler ? simpler
                   : veer_arena_intern(op, width, a, veer_operand_count(op) > 1 || has_number(op) ? b : 0,
                                       veer_operand_count(op) > 2 ? c : 0, 0);
}
