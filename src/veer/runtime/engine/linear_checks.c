/* What clang asks where signed sums and products are checked, read as sums of whole numbers that a word holds, or does not. */
#include "linear_checks.h"
#include "arena.h"
#include "bits.h"
#include "node.h"

static void set_word(struct checked *checked, uint32_t width, uint32_t is_signed)
{
    wide turn = (wide)1 << width;
    checked->least = is_signed ? -(turn / 2) : 0;
    checked->greatest = checked->least + turn - 1;
}

/* Whether `literal` says that a product with a constant fits: ext(x) * c == ext(x * c), in twice the width. */
int veer_checked_product(struct unknowns *unknowns, const struct veer_node *literal, struct checked *checked)
{
    if (literal->op != VEER_OP_EQ)
        return 0;
    for (uint32_t turn = 0; turn < 2; turn++) {
        const struct veer_node *wide_product = node_of(turn ? literal->b : literal->a);
        const struct veer_node *extended = node_of(turn ? literal->a : literal->b), *product = node_of(extended->a);
        const struct veer_node *factor = node_of(wide_product->b), *operand = node_of(wide_product->a);
        uint32_t extension = extended->op;
        if (wide_product->op != VEER_OP_MUL || (extension != VEER_OP_SEXT && extension != VEER_OP_ZEXT) ||
            product->op != VEER_OP_MUL || wide_product->width < 2 * product->width || operand->op != extension ||
            operand->a != product->a || factor->op != VEER_OP_CONST || node_of(product->b)->op != VEER_OP_CONST)
            continue;
        uint32_t is_signed = extension == VEER_OP_SEXT, width = product->width;
        uint64_t constant = node_of(product->b)->value;
        wide times = is_signed ? sign_extend(constant, width) : (wide)constant;
        if (((uint64_t)times & mask_of(wide_product->width)) != factor->value)
            continue;
        struct form one;
        checked->sum.count = 0;
        checked->sum.constant = 0;
        set_word(checked, width, is_signed);
        checked->expression = extended->a;
        return veer_linear_form(unknowns, product->a, is_signed, &one) &&
               veer_linear_add(&checked->sum, &one, times);
    }
    return 0;
}

/* Whether m is the sum of u and v, or v is the difference of m and u; then that is checked->sum. */
static int is_sum(struct unknowns *unknowns, uint32_t m, uint32_t u, uint32_t v, int is_difference, struct checked *checked)
{
    struct form other;
    checked->expression = is_difference ? v : m;
    return veer_linear_form(unknowns, is_difference ? m : v, 1, &checked->sum) &&
           veer_linear_form(unknowns, u, 1, &other) &&
           veer_linear_add(&checked->sum, &other, is_difference ? -1 : 1) &&
           veer_linear_is(unknowns, checked->expression, &checked->sum);
}

/* Whether `literal` says that a signed sum s = a + b overflows: (a ^ s) & (b ^ s) < 0; or a difference: (a ^ b) & (a ^ s) < 0. */
int veer_checked_overflow(struct unknowns *unknowns, const struct veer_node *literal, struct checked *checked)
{
    const struct veer_node *both = node_of(literal->a);
    uint64_t zero;
    if (literal->op != VEER_OP_SLT || both->op != VEER_OP_AND || !veer_is_constant(literal->b, &zero) || zero != 0)
        return 0;
    const struct veer_node *one = node_of(both->a), *other = node_of(both->b);
    set_word(checked, both->width, 1);
    if (one->op != VEER_OP_XOR && other->op != VEER_OP_XOR) /* 0 - b */
        return is_sum(unknowns, literal->b, both->a, both->b, 1, checked) ||
               is_sum(unknowns, literal->b, both->b, both->a, 1, checked);
    if (one->op != VEER_OP_XOR || other->op != VEER_OP_XOR)
        return 0;
    for (uint32_t turn = 0; turn < 4; turn++) {
        uint32_t m = turn & 1 ? one->b : one->a, u = turn & 1 ? one->a : one->b;
        uint32_t same = turn & 2 ? other->b : other->a, v = turn & 2 ? other->a : other->b;
        if (m == same && (is_sum(unknowns, m, u, v, 0, checked) || is_sum(unknowns, m, u, v, 1, checked) ||
                          is_sum(unknowns, m, v, u, 1, checked)))
            return 1;
    }
    return 0;
}

/* Whether the unknown is a quotient or a remainder by a constant: then operand - divisor * quotient is from least_rest to
   divisor - 1. */
int veer_linear_division(struct unknowns *unknowns, uint32_t unknown, struct division *division)
{
    const struct veer_node *node = node_of(unknowns->of[unknown].expression);
    uint64_t number = 0;
    uint32_t op = node->op, is_signed = op == VEER_OP_SDIV || op == VEER_OP_SREM;
    wide low, high;
    if (op == VEER_OP_EXTRACT) {
        if (node->b == 0 || node->b > 55 || node->b + node->width != node_of(node->a)->width)
            return 0;
        number = 1ull << node->b;
    } else if ((op != VEER_OP_UDIV && op != VEER_OP_UREM && op != VEER_OP_LSHR && op != VEER_OP_AND && !is_signed) ||
               !veer_is_constant(node->b, &number)) {
        return 0;
    }
    if (op == VEER_OP_LSHR)
        number = number < 56 ? 1ull << number : 0;
    if (op == VEER_OP_AND)
        number = (number & (number + 1)) == 0 ? number + 1 : 0;
    /* An unknown below 2^(width - 1) is the same number however it is read. */
    int is_same = op == VEER_OP_EXTRACT ? !unknowns->of[unknown].is_signed : number <= sign_bit(node->width) - is_signed;
    if (number < 2 || number >= 1ull << 56 || !is_same)
        return 0;
    if (!veer_linear_fits(unknowns, node->a, is_signed, &division->operand))
        return 0;
    veer_linear_known(unknowns, &division->operand, &low, &high);
    division->divisor = (int64_t)number;
    division->is_remainder = op == VEER_OP_UREM || op == VEER_OP_SREM || op == VEER_OP_AND;
    division->least_rest = low < 0 ? 1 - (wide)number : 0; /* quotients are rounded towards zero */
    return low >= 0 || (is_signed && unknowns->of[unknown].is_signed);
}
