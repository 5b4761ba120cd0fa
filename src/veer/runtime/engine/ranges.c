/* Forward ranges: the least and the greatest value that each expression of a cone can have, from the domains of its
   leaves upwards, and from what the slice says of expressions (bounds.c). Never too small for an input that fulfils the
   slice, so a comparison that no values of its sides can fulfil proves unsat.

   An integer's range is one of unsigned values. A floating-point number's is one of finite numbers, by its ends' bits;
   rounding is monotone, so the ends of an operation's result are among the results of its operands' ends. What an
   operator may wrap around, and what may be no number, is any value. */
#include "ranges.h"
#include "bits.h"
#include "bounds.h"
#include "byte_set.h"
#include "evaluate.h"
#include "float_ranges.h"
#include "node.h"
#include "places.h"
#include "semantics.h"
#include "spans.h"
#include "tables.h"
#include "trail.h"
#include "veer_shared.h"

struct ranges_state {
    struct range of[CONE_LIMIT]; /* of the expressions of the cone */
};
ENGINE_STATE_FITS(ranges);
#define RANGES ENGINE_STATE(ranges)

enum { MAX_ENTRIES = 1024 }; /* of a table, that are looked at */

typedef unsigned __int128 uwide;

/* low .. high of the integers, modulo 2^width; any value if that is not one interval. */
static struct range modulo(uwide low, uwide high, uint32_t width)
{
    if (low >> width != high >> width)
        return any_value(width);
    return between((uint64_t)low & mask_of(width), (uint64_t)high & mask_of(width));
}

/* Whether all values have the same sign; then signed order is unsigned order, *is_negative which sign. */
static int has_one_sign(const struct range *range, uint32_t width, int *is_negative)
{
    *is_negative = range->low >= sign_bit(width);
    return *is_negative || range->high < sign_bit(width);
}

static int64_t least_signed(const struct range *range, uint32_t width)
{
    int is_negative;
    return sign_extend(has_one_sign(range, width, &is_negative) ? range->low : sign_bit(width), width);
}

static int64_t greatest_signed(const struct range *range, uint32_t width)
{
    int is_negative;
    return sign_extend(has_one_sign(range, width, &is_negative) ? range->high : mask_of(width) >> 1, width);
}

static struct range of_leaf(uint32_t leaf)
{
    struct spans spans;
    struct byte_set set;
    if (VEER_LEAVES[leaf].width > 8) {
        veer_trail_spans_domain(leaf, &spans);
        return spans.count ? between(spans.span[0].low, spans.span[spans.count - 1].high)
                           : any_value(VEER_LEAVES[leaf].width);
    }
    veer_trail_byte_domain(leaf, &set);
    struct range range = {255, 0, 0};
    for (uint32_t word = 0; word < 4; word++) {
        if (!set.word[word])
            continue;
        uint32_t low = 64 * word + (uint32_t)__builtin_ctzll(set.word[word]);
        range.low = low < range.low ? low : range.low;
        range.high = 64 * word + 63 - (uint32_t)__builtin_clzll(set.word[word]);
    }
    return range.low <= range.high ? range : any_value(VEER_LEAVES[leaf].width);
}

/* The least and the greatest value of a leaf, read as signed numbers; of another expression nothing is known. */
void veer_signed_hull(uint32_t expression, __int128 *least, __int128 *greatest)
{
    const struct veer_node *node = node_of(expression);
    struct spans spans;
    struct byte_set set;
    if (node->op != VEER_OP_LEAF)
        return;
    __int128 low = *greatest, high = *least;
    if (node->width > 8) {
        veer_trail_spans_domain(node->a, &spans);
    } else {
        veer_trail_byte_domain(node->a, &set);
        spans.count = 0;
        for (uint64_t value = 0; value <= mask_of(node->width); value++) {
            if (set.word[value >> 6] >> (value & 63) & 1)
                spans.span[spans.count++] = (struct span){value, value};
        }
    }
    for (uint32_t i = 0; i < spans.count; i++) {
        struct range range = between(spans.span[i].low, spans.span[i].high);
        int64_t first = least_signed(&range, node->width), last = greatest_signed(&range, node->width);
        low = first < low ? first : low;
        high = last > high ? last : high;
    }
    if (low <= high) {
        *least = low;
        *greatest = high;
    }
}

static struct range of_shift(const struct veer_node *node, const struct range *a, const struct range *b)
{
    uint32_t width = node->width;
    int is_negative;
    if (node->op == VEER_OP_SHL) {
        if (b->high >= width || (uwide)a->high << b->high > mask_of(width))
            return any_value(width);
        return between(a->low << b->low, a->high << b->high);
    }
    if (node->op == VEER_OP_ASHR && (!has_one_sign(a, width, &is_negative) || is_negative))
        return any_value(width);
    return between(b->high >= width ? 0 : a->low >> b->high, b->low >= width ? 0 : a->high >> b->low);
}

static struct range of_division(const struct veer_node *node, const struct range *a, const struct range *b)
{
    uint32_t width = node->width;
    int is_signed = node->op == VEER_OP_SDIV || node->op == VEER_OP_SREM, is_negative;
    if (b->low == 0 || (is_signed && ((!has_one_sign(a, width, &is_negative) || is_negative) ||
                                      (!has_one_sign(b, width, &is_negative) || is_negative))))
        return any_value(width);
    if (node->op == VEER_OP_UDIV || node->op == VEER_OP_SDIV)
        return between(a->low / b->high, a->high / b->low);
    if (a->high < b->low)
        return *a;
    return between(0, a->high < b->high - 1 ? a->high : b->high - 1);
}

/* All ones up to the highest bit of either. */
static uint64_t filled(uint64_t a, uint64_t b)
{
    return a | b ? ~0ull >> __builtin_clzll(a | b) : 0;
}

static struct range of_arithmetic(const struct veer_node *node, const struct range *a, const struct range *b)
{
    uint32_t width = node->width;
    uwide lift = (uwide)1 << width; /* keeps differences above 0; does not change them modulo 2^width */
    switch (node->op) {
    case VEER_OP_ADD: return modulo((uwide)a->low + b->low, (uwide)a->high + b->high, width);
    case VEER_OP_SUB: return modulo(lift + a->low - b->high, lift + a->high - b->low, width);
    case VEER_OP_MUL: return modulo((uwide)a->low * b->low, (uwide)a->high * b->high, width);
    case VEER_OP_AND: return between(0, a->high < b->high ? a->high : b->high);
    case VEER_OP_OR: return between(a->low > b->low ? a->low : b->low, filled(a->high, b->high));
    case VEER_OP_XOR: return between(0, filled(a->high, b->high));
    case VEER_OP_SHL:
    case VEER_OP_LSHR:
    case VEER_OP_ASHR: return of_shift(node, a, b);
    case VEER_OP_UDIV:
    case VEER_OP_SDIV:
    case VEER_OP_UREM:
    case VEER_OP_SREM: return of_division(node, a, b);
    default: return any_value(width);
    }
}

/* Whether one is the narrow number that the other one extends as a signed number, or both are such a constant. */
static int is_extension(uint32_t wide, uint32_t narrow)
{
    const struct veer_node *node = node_of(wide), *inner = node_of(narrow);
    if (node->op == VEER_OP_CONST && inner->op == VEER_OP_CONST)
        return node->value == ((uint64_t)sign_extend(inner->value, inner->width) & mask_of(node->width));
    return node->op == VEER_OP_SEXT && node->a == narrow;
}

/* Whether the two are one product, of wide numbers, and of the narrow ones and then extended, and the narrow one holds it
   (`range`: of the wide one). That they differ is how a product is asked whether it overflows. */
static int is_same_product(uint32_t wide, uint32_t extended, const struct range *range)
{
    const struct veer_node *product = node_of(wide), *outer = node_of(extended);
    if (product->op != VEER_OP_MUL || outer->op != VEER_OP_SEXT)
        return 0;
    const struct veer_node *inner = node_of(outer->a);
    if (inner->op != VEER_OP_MUL || range->high >= sign_bit(inner->width))
        return 0;
    return (is_extension(product->a, inner->a) && is_extension(product->b, inner->b)) ||
           (is_extension(product->a, inner->b) && is_extension(product->b, inner->a));
}

static struct range of_comparison(const struct veer_node *node, const struct range *a, const struct range *b)
{
    uint32_t width = node_of(node->a)->width;
    int is_so = 0, is_not_so = 0;
    switch (node->op) {
    case VEER_OP_EQ:
        is_so = (a->low == a->high && b->low == b->high && a->low == b->low) || is_same_product(node->a, node->b, a) ||
                is_same_product(node->b, node->a, b);
        is_not_so = a->high < b->low || b->high < a->low;
        break;
    case VEER_OP_ULT:
        is_so = a->high < b->low;
        is_not_so = a->low >= b->high;
        break;
    default:
        is_so = greatest_signed(a, width) < least_signed(b, width);
        is_not_so = least_signed(a, width) >= greatest_signed(b, width);
        break;
    }
    return between((uint64_t)is_so, (uint64_t)!is_not_so);
}

static struct range of_lookup(const struct veer_node *node, const struct range *index)
{
    uint64_t count = veer_table_count(node->b);
    if (index->high - index->low > MAX_ENTRIES && count > MAX_ENTRIES)
        return any_value(node->width);
    struct range range = {~0ull, 0, 0};
    for (uint64_t i = index->low; i <= index->high && i <= count; i++) { /* behind the end all entries are the same */
        uint64_t entry = veer_table_entry(node->b, i);
        range.low = entry < range.low ? entry : range.low;
        range.high = entry > range.high ? entry : range.high;
    }
    return range.low <= range.high ? range : between(0, 0);
}

static struct range of_structure(const struct veer_node *node, const struct range *a, const struct range *b,
                                 const struct range *c)
{
    uint32_t width = node->width, inner = node_of(node->a)->width;
    int is_negative;
    switch (node->op) {
    case VEER_OP_NOT: return between(mask_of(width) - a->high, mask_of(width) - a->low);
    case VEER_OP_ZEXT: return *a;
    case VEER_OP_SEXT:
        if (!has_one_sign(a, inner, &is_negative))
            return any_value(width);
        return between((uint64_t)sign_extend(a->low, inner) & mask_of(width),
                       (uint64_t)sign_extend(a->high, inner) & mask_of(width));
    case VEER_OP_EXTRACT: return modulo(a->low >> node->b, a->high >> node->b, width);
    case VEER_OP_CONCAT:
        return between(a->low << (width - inner) | b->low, a->high << (width - inner) | b->high);
    case VEER_OP_ITE:
        if (a->low == a->high)
            return a->low ? *b : *c;
        return between(b->low < c->low ? b->low : c->low, b->high > c->high ? b->high : c->high);
    case VEER_OP_LOOKUP: return of_lookup(node, a);
    case VEER_OP_CTPOP: return between(0, inner);
    default: return any_value(width);
    }
}

/* The range of an expression whose operands' ranges are known, as integers. */
static struct range of_integer(const struct veer_node *node, const struct range *a, const struct range *b,
                               const struct range *c)
{
    switch (node->op) {
    case VEER_OP_CONST: return between(node->value, node->value);
    case VEER_OP_LEAF: return of_leaf(node->a);
    case VEER_OP_EQ:
    case VEER_OP_ULT:
    case VEER_OP_SLT: return of_comparison(node, a, b);
    case VEER_OP_NOT:
    case VEER_OP_ZEXT:
    case VEER_OP_SEXT:
    case VEER_OP_EXTRACT:
    case VEER_OP_CONCAT:
    case VEER_OP_ITE:
    case VEER_OP_LOOKUP:
    case VEER_OP_CTPOP: return of_structure(node, a, b, c);
    default: return of_arithmetic(node, a, b);
    }
}

/* Lists the cone of the roots with the range of each expression in `ranges` at its position, in inputs that fulfil the
   slice; 0 = too large. */
int veer_ranges_build(const uint32_t *roots, uint32_t count)
{
    struct evaluator_state *evaluator = EVALUATOR;
    struct ranges_state *ranges = RANGES;
    if (!veer_cone_build(roots, count))
        return 0;
    for (uint32_t at = 0; at < evaluator->cone_count; at++)
        evaluator->value[evaluator->cone[at]] = at;
    veer_bounds_collect();
    for (uint32_t at = 0; at < evaluator->cone_count; at++) {
        const struct veer_node *node = node_of(evaluator->cone[at]);
        uint32_t operands = veer_operand_count(node->op);
        struct range given[3], *range = &ranges->of[at];
        const uint32_t operand[3] = {node->a, node->b, node->c};
        for (uint32_t i = 0; i < 3; i++)
            given[i] = i < operands ? ranges->of[evaluator->value[operand[i]]] : between(0, 0);
        if (veer_float_range(node, given, range))
            continue;
        for (uint32_t i = 0; i < operands; i++)
            given[i] = integer_range(&given[i], node_of(operand[i])->width);
        *range = veer_bounds_narrow(at, of_integer(node, &given[0], &given[1], &given[2]));
    }
    return 1;
}

/* The range of an expression of the cone. */
struct range veer_range_of(uint32_t expression)
{
    return integer_range(&RANGES->of[EVALUATOR->value[expression]], node_of(expression)->width);
}

/* Unsat where no values of the literal's leaves can make it so. */
enum verdict veer_rung_ranges(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    (void)input, (void)length;
    if (!veer_ranges_build(&literal, 1))
        return VERDICT_UNKNOWN;
    struct range range = veer_range_of(literal);
    return want < range.low || want > range.high ? VERDICT_UNSAT : VERDICT_UNKNOWN;
}
