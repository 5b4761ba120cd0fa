/* Extensions, extractions, concatenations, and the join of disjoint parts: x | y << 8 of extended bytes is a CONCAT. */
#include "simplify_bits.h"
#include "arena.h"
#include "bits.h"
#include "node.h"
#include "unwritten.h"

enum { MAX_SEGMENTS = 16 };

static uint32_t make(uint32_t op, uint32_t width, uint32_t a, uint32_t b)
{
    return veer_expression(op, width, a, b, 0);
}

static int is_zero(uint32_t a)
{
    uint64_t value;
    return veer_is_constant(a, &value) && value == 0;
}

uint32_t veer_simplify_extend(uint32_t op, uint32_t width, uint32_t a)
{
    const struct veer_node *node = node_of(a);
    if (node->width == width)
        return a;
    if (node->op == VEER_OP_ZEXT) /* its sign bit is 0 */
        return make(VEER_OP_ZEXT, width, node->a, 0);
    if (node->op == VEER_OP_SEXT && op == VEER_OP_SEXT)
        return make(VEER_OP_SEXT, width, node->a, 0);
    return 0;
}

static uint32_t extract_extension(uint32_t width, const struct veer_node *node, uint32_t low_bit)
{
    uint32_t inner_width = node_of(node->a)->width;
    if (low_bit + width <= inner_width)
        return make(VEER_OP_EXTRACT, width, node->a, low_bit);
    if (low_bit >= inner_width) {
        if (node->op == VEER_OP_ZEXT)
            return veer_constant(width, 0);
        return make(VEER_OP_SEXT, width, make(VEER_OP_EXTRACT, 1, node->a, inner_width - 1), 0);
    }
    return make(node->op, width, make(VEER_OP_EXTRACT, inner_width - low_bit, node->a, low_bit), 0);
}

static uint32_t extract_concat(uint32_t width, const struct veer_node *node, uint32_t low_bit)
{
    uint32_t low_width = node_of(node->b)->width;
    if (low_bit >= low_width)
        return make(VEER_OP_EXTRACT, width, node->a, low_bit - low_width);
    if (low_bit + width <= low_width)
        return make(VEER_OP_EXTRACT, width, node->b, low_bit);
    uint32_t low_part = low_width - low_bit;
    uint32_t high = make(VEER_OP_EXTRACT, width - low_part, node->a, 0);
    return make(VEER_OP_CONCAT, width, high, make(VEER_OP_EXTRACT, low_part, node->b, low_bit));
}

/* Whether the low `width` bits of an operand are known without an extraction of something larger. */
static int narrows(uint32_t a, uint32_t width)
{
    const struct veer_node *node = node_of(a);
    if (node->op == VEER_OP_CONST)
        return 1;
    return (node->op == VEER_OP_ZEXT || node->op == VEER_OP_SEXT) && node_of(node->a)->width <= width;
}

uint32_t veer_simplify_extract(uint32_t width, uint32_t a, uint32_t low_bit)
{
    const struct veer_node *node = node_of(a);
    uint64_t constant, other;
    if (node->width == width)
        return a;
    switch (node->op) {
    case VEER_OP_EXTRACT: return make(VEER_OP_EXTRACT, width, node->a, node->b + low_bit);
    case VEER_OP_ZEXT:
    case VEER_OP_SEXT: return extract_extension(width, node, low_bit);
    case VEER_OP_CONCAT: return extract_concat(width, node, low_bit);
    case VEER_OP_AND:
    case VEER_OP_OR:
    case VEER_OP_XOR:
        if (!veer_is_constant(node->b, &constant))
            return 0;
        return make(node->op, width, make(VEER_OP_EXTRACT, width, node->a, low_bit),
                    veer_constant(width, constant >> low_bit));
    case VEER_OP_ADD:
    case VEER_OP_SUB:
    case VEER_OP_MUL:
        if (low_bit != 0 || !narrows(node->a, width) || !narrows(node->b, width))
            return 0;
        return make(node->op, width, make(VEER_OP_EXTRACT, width, node->a, 0),
                    make(VEER_OP_EXTRACT, width, node->b, 0));
    case VEER_OP_ITE:
        if (!veer_is_constant(node->b, &constant) || !veer_is_constant(node->c, &other))
            return 0;
        return veer_expression(VEER_OP_ITE, width, node->a, veer_constant(width, constant >> low_bit),
                               veer_constant(width, other >> low_bit));
    default: return 0;
    }
}

/* x[i+1 ..] above x[.. i] is one extraction; two constants are one. 0 = they do not touch. */
static uint32_t join_adjacent(uint32_t high, uint32_t low)
{
    const struct veer_node *upper = node_of(high), *lower = node_of(low);
    uint32_t width = upper->width + lower->width;
    uint64_t high_value, low_value;
    if (veer_is_constant(high, &high_value) && veer_is_constant(low, &low_value))
        return veer_constant(width, high_value << lower->width | low_value);
    if (upper->op != VEER_OP_EXTRACT)
        return 0;
    if (lower->op == VEER_OP_EXTRACT && upper->a == lower->a && upper->b == lower->b + lower->width)
        return make(VEER_OP_EXTRACT, width, upper->a, lower->b);
    return 0;
}

uint32_t veer_simplify_concat(uint32_t high, uint32_t low)
{
    const struct veer_node *upper = node_of(high), *lower = node_of(low);
    uint32_t width = upper->width + lower->width;
    if (is_zero(high))
        return make(VEER_OP_ZEXT, width, low, 0);
    uint32_t joined = join_adjacent(high, low);
    if (joined)
        return joined;
    if (lower->op == VEER_OP_CONCAT) {
        uint32_t left = make(VEER_OP_CONCAT, width - node_of(lower->b)->width, high, lower->a);
        return make(VEER_OP_CONCAT, width, left, lower->b);
    }
    if (upper->op == VEER_OP_ZEXT)
        return make(VEER_OP_ZEXT, width, make(VEER_OP_CONCAT, node_of(upper->a)->width + lower->width, upper->a, low),
                    0);
    if (upper->op == VEER_OP_CONCAT) {
        joined = join_adjacent(upper->b, low);
        if (joined)
            return make(VEER_OP_CONCAT, width, upper->a, joined);
    }
    return 0;
}

/* How many of the lowest bits of a number are alike. */
static uint32_t run_of(uint64_t number, uint32_t width)
{
    uint64_t change = number & 1 ? ~number : number;
    uint32_t run = change ? (uint32_t)__builtin_ctzll(change) : width;
    return run < width ? run : width;
}

/* a & constant or a | constant, of an operand with bits that nobody wrote, as the concatenation of the bits that the constant
   sets and of those that it leaves: what was written of a word of bit-fields comes out as what it is. 0 = too many parts. */
uint32_t veer_simplify_masked(uint32_t op, uint32_t width, uint32_t a, uint64_t constant)
{
    uint32_t joined = 0;
    if (__builtin_popcountll((constant ^ constant >> 1) & mask_of(width - 1)) >= MAX_SEGMENTS)
        return 0;
    for (uint32_t at = 0, bits; at < width; at += bits) {
        uint64_t is_set = constant >> at & 1;
        bits = run_of(constant >> at, width - at);
        int is_kept = is_set == (op == VEER_OP_AND);
        uint32_t part = is_kept ? make(VEER_OP_EXTRACT, bits, a, at) : veer_constant(bits, 0 - is_set);
        joined = at ? make(VEER_OP_CONCAT, at + bits, part, joined) : part;
        if (joined == 0)
            return 0;
    }
    return joined;
}

/* x & constant as the concatenation of its parts; 0 = it is something else, or has too many. */
static uint32_t unmasked(uint32_t a)
{
    const struct veer_node *node = node_of(a);
    uint64_t mask;
    return node->op == VEER_OP_AND && veer_is_constant(node->b, &mask)
               ? veer_simplify_masked(VEER_OP_AND, node->width, node->a, mask)
               : 0;
}

/* The parts of a constant: bits that are alike. 0 = too many. */
static uint32_t runs(uint64_t value, uint32_t width, uint32_t *parts, uint32_t count)
{
    for (uint32_t at = 0, bits; at < width; at += bits) {
        if (count >= MAX_SEGMENTS)
            return 0;
        bits = run_of(value >> at, width - at);
        parts[count++] = veer_constant(bits, 0 - (value >> at & 1));
    }
    return count;
}

/* The parts of an expression from the least significant on; 0 = too many. `unmasks`: what is masked
   and constants have parts, too. */
static uint32_t segments(uint32_t a, uint32_t *parts, uint32_t count, int unmasks)
{
    const struct veer_node *node = node_of(a);
    if (count >= MAX_SEGMENTS)
        return 0;
    uint32_t split = unmasks ? unmasked(a) : 0;
    if (split)
        return segments(split, parts, count, 0);
    if (unmasks && node->op == VEER_OP_CONST)
        return runs(node->value, node->width, parts, count);
    if (node->op == VEER_OP_ZEXT) {
        count = segments(node->a, parts, count, unmasks);
        if (count == 0 || count >= MAX_SEGMENTS)
            return 0;
        parts[count] = veer_constant(node->width - node_of(node->a)->width, 0);
        return count + 1;
    }
    if (node->op == VEER_OP_CONCAT) {
        count = segments(node->b, parts, count, unmasks);
        return count ? segments(node->a, parts, count, unmasks) : 0;
    }
    parts[count] = a;
    return count + 1;
}

/* Where the walk along one operand's parts is. */
struct cursor {
    uint32_t parts[MAX_SEGMENTS];
    uint32_t index, used; /* bits of parts[index] that are behind */
};

static uint32_t left_in(const struct cursor *cursor)
{
    return node_of(cursor->parts[cursor->index])->width - cursor->used;
}

static void advance(struct cursor *cursor, uint32_t bits)
{
    cursor->used += bits;
    if (left_in(cursor) == 0) {
        cursor->index++;
        cursor->used = 0;
    }
}

/* Walks both; with `result`, builds the concatenation. Returns 0 if two parts that are not zero overlap. */
static int walk_disjoint(uint32_t width, struct cursor left, struct cursor right, uint32_t *result)
{
    uint32_t joined = 0, done = 0;
    while (done < width) {
        uint32_t bits = left_in(&left) < left_in(&right) ? left_in(&left) : left_in(&right);
        int left_zero = is_zero(left.parts[left.index]), right_zero = is_zero(right.parts[right.index]);
        if (!left_zero && !right_zero)
            return 0;
        if (result) {
            struct cursor *source = left_zero ? &right : &left;
            uint32_t part = make(VEER_OP_EXTRACT, bits, source->parts[source->index], source->used);
            joined = done ? make(VEER_OP_CONCAT, done + bits, part, joined) : part;
            if (joined == 0)
                return 0;
        }
        advance(&left, bits);
        advance(&right, bits);
        done += bits;
    }
    if (result)
        *result = joined;
    return 1;
}

static int has_parts(uint32_t a, int unmasks)
{
    uint32_t op = node_of(a)->op;
    return op == VEER_OP_ZEXT || op == VEER_OP_CONCAT || (unmasks && op == VEER_OP_AND);
}

/* a | b, a ^ b or a + b where no bit can be set in both and both are made of parts: the concatenation of the parts. */
uint32_t veer_simplify_disjoint(uint32_t width, uint32_t a, uint32_t b)
{
    uint32_t result = 0;
    int unmasks = veer_holds_unwritten(a) || veer_holds_unwritten(b);
    if (!has_parts(a, unmasks) || !has_parts(b, unmasks))
        return 0;
    struct cursor left = {{0}, 0, 0}, right = {{0}, 0, 0};
    if (!segments(a, left.parts, 0, unmasks) || !segments(b, right.parts, 0, unmasks))
        return 0;
    if (!walk_disjoint(width, left, right, NULL))
        return 0;
    return walk_disjoint(width, left, right, &result) ? result : 0;
}
