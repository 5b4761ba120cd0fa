/* Forward ranges of floating-point operations (see ranges.c): finite numbers between two ends, or nothing. Zero's sign
   is left open: a range that reaches 0 may have either. */
#include "float_ranges.h"
#include "bits.h"
#include "floats.h"
#include "node.h"
#include "range.h"

static int is_below(uint32_t width, uint64_t left, uint64_t right)
{
    return (int)veer_apply_float(VEER_OP_FOLT, 1, width, left, right);
}

static int is_finite(uint32_t width, uint64_t bits)
{
    uint64_t exponent = width == 64 ? 0x7ffull << 52 : 0xffull << 23;
    return (bits & exponent) != exponent;
}

/* The range of an operand as numbers; 0 = it may be none, or infinite, or has both signs as bits. */
static int as_numbers(const struct range *range, uint32_t width, struct range *numbers)
{
    if (width != 32 && width != 64)
        return 0;
    *numbers = *range;
    numbers->is_float = 1;
    if (range->is_float)
        return 1;
    if ((range->low ^ range->high) & sign_bit(width))
        return 0;
    if (range->low & sign_bit(width)) /* the greater the bits, the smaller the number */
        *numbers = (struct range){range->high, range->low, 1};
    return is_finite(width, range->high); /* of these bits the greatest: all below it are finite, too */
}

/* The least and the greatest of some results; 0 = one of them is infinite or no number. */
static int span_of(uint32_t width, const uint64_t *results, uint32_t count, struct range *range)
{
    *range = (struct range){results[0], results[0], 1};
    for (uint32_t i = 0; i < count; i++) {
        if (!is_finite(width, results[i]))
            return 0;
        if (is_below(width, results[i], range->low))
            range->low = results[i];
        if (is_below(width, range->high, results[i]))
            range->high = results[i];
    }
    return 1;
}

/* Addition to division: the ends' results in all four combinations. */
static int of_binary(const struct veer_node *node, const struct range *a, const struct range *b, struct range *range)
{
    uint32_t width = node->width;
    uint64_t results[4];
    if (node->op == VEER_OP_FDIV && !is_below(width, b->high, 0) && !is_below(width, 0, b->low))
        return 0;
    for (uint32_t i = 0; i < 4; i++)
        results[i] = veer_apply_float(node->op, width, width, i & 1 ? a->high : a->low, i & 2 ? b->high : b->low);
    return span_of(width, results, 4, range);
}

/* Operations of one number, and conversions to numbers: monotone, one way or the other. */
static int of_unary(const struct veer_node *node, uint64_t low, uint64_t high, struct range *range)
{
    uint32_t from = node_of(node->a)->width;
    const uint64_t results[2] = {veer_apply_float(node->op, node->width, from, low, 0),
                                 veer_apply_float(node->op, node->width, from, high, 0)};
    return span_of(node->width, results, 2, range);
}

static int of_comparison(const struct veer_node *node, const struct range *a, const struct range *b,
                         struct range *range)
{
    uint32_t width = node_of(node->a)->width;
    int is_so = 0, is_not_so = 0;
    switch (node->op) {
    case VEER_OP_FOEQ: is_not_so = is_below(width, a->high, b->low) || is_below(width, b->high, a->low); break;
    case VEER_OP_FOLT:
        is_so = is_below(width, a->high, b->low);
        is_not_so = !is_below(width, a->low, b->high);
        break;
    case VEER_OP_FOLE:
        is_so = !is_below(width, b->low, a->high);
        is_not_so = is_below(width, b->high, a->low);
        break;
    default: is_not_so = 1; break; /* FUNO: both are numbers */
    }
    *range = (struct range){(uint64_t)is_so, (uint64_t)!is_not_so, 0};
    return 1;
}

/* Integers to numbers. */
static int of_conversion(const struct veer_node *node, const struct range *given, struct range *range)
{
    uint32_t from = node_of(node->a)->width;
    struct range integer = integer_range(given, from);
    if (node->op == VEER_OP_SITOFP && integer.low < sign_bit(from) && integer.high >= sign_bit(from))
        integer = (struct range){sign_bit(from), mask_of(from) >> 1, 0};
    return of_unary(node, integer.low, integer.high, range);
}

/* The range of a floating-point operation, from those of its operands; 0 = it is none, or nothing is known of it. */
int veer_float_range(const struct veer_node *node, const struct range *given, struct range *range)
{
    struct range a, b;
    uint32_t width = node->op >= VEER_OP_FADD ? node_of(node->a)->width : 0;
    switch (node->op) {
    case VEER_OP_SITOFP:
    case VEER_OP_UITOFP: return of_conversion(node, given, range);
    case VEER_OP_FADD:
    case VEER_OP_FSUB:
    case VEER_OP_FMUL:
    case VEER_OP_FDIV:
        return as_numbers(&given[0], width, &a) && as_numbers(&given[1], width, &b) && of_binary(node, &a, &b, range);
    case VEER_OP_FOEQ:
    case VEER_OP_FOLT:
    case VEER_OP_FOLE:
    case VEER_OP_FUNO:
        return as_numbers(&given[0], width, &a) && as_numbers(&given[1], width, &b) &&
               of_comparison(node, &a, &b, range);
    case VEER_OP_FNEG:
    case VEER_OP_FPEXT:
    case VEER_OP_FPTRUNC:
    case VEER_OP_FRINT:
    case VEER_OP_FFLOOR:
    case VEER_OP_FCEIL:
    case VEER_OP_FTRUNC:
    case VEER_OP_FROUND: return as_numbers(&given[0], width, &a) && of_unary(node, a.low, a.high, range);
    default: return 0;
    }
}
