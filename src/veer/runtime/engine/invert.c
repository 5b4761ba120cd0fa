/* Inversion: a comparison is turned round, operator by operator, down to a leaf that would make it so. A guess, always
   verified on the whole slice. Where there is more than one way (which operand, which side), the attempt's number
   decides. */
#include "invert.h"
#include "bits.h"
#include "evaluate.h"
#include "floats.h"
#include "linear_form.h"
#include "node.h"
#include "odd_inverse.h"
#include "semantics.h"
#include "slice.h"
#include "tables.h"
#include "trail.h"

enum { MAX_ATTEMPTS = 24, MAX_DESCENT = 64 };

struct attempt {
    uint32_t number;       /* what is left of it after the choices so far */
    uint32_t combinations; /* product of the choices met */
    uint8_t *input;
    uint32_t set;          /* leaves that were set */
};

static int invert_term(struct attempt *attempt, uint32_t term, uint64_t value, uint32_t nesting);

/* One of `ways`. */
static uint32_t choose(struct attempt *attempt, uint32_t ways)
{
    uint32_t way = attempt->number % ways;
    attempt->number /= ways;
    attempt->combinations *= ways;
    return way;
}

static int is_fixed(uint32_t term)
{
    return node_of(term)->support == 0;
}

static int set_leaf(struct attempt *attempt, uint32_t leaf, uint64_t value)
{
    if (!veer_trail_allows(leaf, value))
        return 0;
    veer_set_leaf(leaf, value, attempt->input);
    attempt->set++;
    return 1;
}

/* Which operand of a binary operator to change: 0 = a, 1 = b. */
static uint32_t choose_operand(struct attempt *attempt, const struct veer_node *node)
{
    if (is_fixed(node->b))
        return 0;
    return is_fixed(node->a) ? 1 : choose(attempt, 2);
}

static int invert_multiply(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    uint32_t side = choose_operand(attempt, node), changed = side ? node->b : node->a;
    uint64_t factor = veer_evaluate(side ? node->a : node->b);
    if (factor == 0)
        return 0;
    uint32_t zeros = (uint32_t)__builtin_ctzll(factor);
    if (value & mask_of(zeros))
        return 0;
    return invert_term(attempt, changed, ((value >> zeros) * odd_inverse(factor >> zeros)) & mask_of(node->width),
                       nesting);
}

/* a op b == value for the bitwise operators, with the other operand as it is. */
static int invert_bitwise(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    uint32_t side = choose_operand(attempt, node), changed = side ? node->b : node->a;
    uint64_t other = veer_evaluate(side ? node->a : node->b), old = veer_evaluate(changed);
    if (node->op == VEER_OP_XOR)
        return invert_term(attempt, changed, value ^ other, nesting);
    if (node->op == VEER_OP_AND)
        return (value & ~other) == 0 && invert_term(attempt, changed, (old & ~other) | value, nesting);
    return (other & ~value) == 0 && invert_term(attempt, changed, (old & other) | (value & ~other), nesting);
}

static int invert_divide(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    uint64_t divisor = veer_evaluate(node->b), old = veer_evaluate(node->a), mask = mask_of(node->width);
    if (divisor == 0)
        return 0;
    if (node->op == VEER_OP_UDIV || node->op == VEER_OP_SDIV)
        return invert_term(attempt, node->a, (value * divisor) & mask, nesting);
    uint64_t rest = veer_apply(node->op, node->width, node->width, old, divisor, 0);
    return invert_term(attempt, node->a, (old - rest + value) & mask, nesting);
}

/* Floating point: the inverse operation, rounded; good enough to guess with. */
static int invert_float(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    uint32_t width = node->width, from = node_of(node->a)->width;
    switch (node->op) {
    case VEER_OP_FNEG: return invert_term(attempt, node->a, value ^ sign_bit(width), nesting);
    case VEER_OP_FABS: return invert_term(attempt, node->a, value, nesting);
    case VEER_OP_FSQRT:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_FMUL, width, width, value, value), nesting);
    case VEER_OP_FPEXT:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_FPTRUNC, from, width, value, 0), nesting);
    case VEER_OP_FPTRUNC:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_FPEXT, from, width, value, 0), nesting);
    case VEER_OP_SITOFP:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_FPTOSI, from, width, value, 0), nesting);
    case VEER_OP_UITOFP:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_FPTOUI, from, width, value, 0), nesting);
    case VEER_OP_FRINT:
    case VEER_OP_FFLOOR:
    case VEER_OP_FCEIL:
    case VEER_OP_FTRUNC:
    case VEER_OP_FROUND: return invert_term(attempt, node->a, value, nesting);
    case VEER_OP_FPTOSI:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_SITOFP, from, width, value, 0), nesting);
    case VEER_OP_FPTOUI:
        return invert_term(attempt, node->a, veer_apply_float(VEER_OP_UITOFP, from, width, value, 0), nesting);
    default: break;
    }
    uint32_t side = choose_operand(attempt, node), changed = side ? node->b : node->a;
    uint64_t other = veer_evaluate(side ? node->a : node->b);
    switch (node->op) {
    case VEER_OP_FFMA: /* by the number that is added: rounded, it may miss */
        other = veer_apply_float(VEER_OP_FMUL, width, width, veer_evaluate(node->a), veer_evaluate(node->b));
        return invert_term(attempt, node->c, veer_apply_float(VEER_OP_FSUB, width, width, value, other), nesting);
    case VEER_OP_FREM: /* a dividend below the divisor is its own remainder */
        return invert_term(attempt, node->a, value, nesting);
    case VEER_OP_FADD:
        return invert_term(attempt, changed, veer_apply_float(VEER_OP_FSUB, width, width, value, other), nesting);
    case VEER_OP_FSUB:
        if (side == 0)
            return invert_term(attempt, changed, veer_apply_float(VEER_OP_FADD, width, width, value, other), nesting);
        return invert_term(attempt, changed, veer_apply_float(VEER_OP_FSUB, width, width, other, value), nesting);
    case VEER_OP_FMUL:
        return invert_term(attempt, changed, veer_apply_float(VEER_OP_FDIV, width, width, value, other), nesting);
    case VEER_OP_FDIV:
        if (side == 0)
            return invert_term(attempt, changed, veer_apply_float(VEER_OP_FMUL, width, width, value, other), nesting);
        return invert_term(attempt, changed, veer_apply_float(VEER_OP_FDIV, width, width, other, value), nesting);
    default: return 0;
    }
}

/* An index whose entry is the value: which one of them, the attempt decides. */
static int invert_lookup(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    uint32_t hits[MAX_ATTEMPTS], found = 0, count = veer_table_count(node->b);
    uint64_t most = mask_of(node_of(node->a)->width);
    for (uint32_t i = 0; i < count && i <= most && found < MAX_ATTEMPTS; i++) {
        if (veer_table_entry(node->b, i) == value)
            hits[found++] = i;
    }
    return found && invert_term(attempt, node->a, hits[found > 1 ? choose(attempt, found) : 0], nesting);
}

/* Structure: extensions, parts, choices. */
static int invert_structure(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    const struct veer_node *inner = node_of(node->a);
    uint32_t low_width;
    switch (node->op) {
    case VEER_OP_ZEXT: return value <= mask_of(inner->width) && invert_term(attempt, node->a, value, nesting);
    case VEER_OP_SEXT: return invert_term(attempt, node->a, value & mask_of(inner->width), nesting);
    case VEER_OP_EXTRACT: {
        uint64_t window = mask_of(node->width) << node->b;
        return invert_term(attempt, node->a, (veer_evaluate(node->a) & ~window) | value << node->b, nesting);
    }
    case VEER_OP_CONCAT:
        low_width = node_of(node->b)->width;
        return invert_term(attempt, node->a, value >> low_width, nesting) &&
               invert_term(attempt, node->b, value & mask_of(low_width), nesting);
    case VEER_OP_LOOKUP: return invert_lookup(attempt, node, value, nesting);
    case VEER_OP_ITE: return invert_term(attempt, veer_evaluate(node->a) ? node->b : node->c, value, nesting);
    default: return 0;
    }
}

/* Shifts by an amount that is left as it is. */
static int invert_shift(struct attempt *attempt, const struct veer_node *node, uint64_t value, uint32_t nesting)
{
    uint64_t amount = veer_evaluate(node->b), old = veer_evaluate(node->a);
    if (amount >= node->width)
        return 0;
    if (node->op == VEER_OP_SHL)
        return invert_term(attempt, node->a, (value >> amount) | (old & ~(mask_of(node->width) >> amount)), nesting);
    return invert_term(attempt, node->a, ((value << amount) & mask_of(node->width)) | (old & mask_of((uint32_t)amount)),
                       nesting);
}

static int invert_term(struct attempt *attempt, uint32_t term, uint64_t value, uint32_t nesting)
{
    const struct veer_node *node = node_of(term);
    if (node->op == VEER_OP_LEAF)
        return set_leaf(attempt, node->a, value);
    if (is_fixed(term))
        return node->op == VEER_OP_CONST && node->value == value;
    if (nesting++ == MAX_DESCENT)
        return 0;
    uint64_t mask = mask_of(node->width);
    switch (node->op) {
    case VEER_OP_ADD: {
        uint32_t side = choose_operand(attempt, node);
        return invert_term(attempt, side ? node->b : node->a, (value - veer_evaluate(side ? node->a : node->b)) & mask,
                           nesting);
    }
    case VEER_OP_SUB:
        if (choose_operand(attempt, node) == 0)
            return invert_term(attempt, node->a, (value + veer_evaluate(node->b)) & mask, nesting);
        return invert_term(attempt, node->b, (veer_evaluate(node->a) - value) & mask, nesting);
    case VEER_OP_MUL: return invert_multiply(attempt, node, value, nesting);
    case VEER_OP_AND:
    case VEER_OP_OR:
    case VEER_OP_XOR: return invert_bitwise(attempt, node, value, nesting);
    case VEER_OP_UDIV:
    case VEER_OP_SDIV:
    case VEER_OP_UREM:
    case VEER_OP_SREM: return invert_divide(attempt, node, value, nesting);
    case VEER_OP_SHL:
    case VEER_OP_LSHR:
    case VEER_OP_ASHR: return invert_shift(attempt, node, value, nesting);
    default:
        return node->op >= VEER_OP_FADD ? invert_float(attempt, node, value, nesting)
                                        : invert_structure(attempt, node, value, nesting);
    }
}

/* A value that stands to `other` as wanted: way 0 the nearest one, way 1 far away. `below`: the value is the
   smaller side. */
static int related_value(uint32_t op, uint32_t width, uint32_t want, int below, uint64_t other, uint32_t way,
                         uint64_t *value)
{
    uint64_t mask = mask_of(width), flip = op == VEER_OP_SLT ? sign_bit(width) : 0, rank = other ^ flip;
    if (op == VEER_OP_EQ) {
        *value = want ? other : (other + (way ? mask : 1)) & mask;
        return 1;
    }
    int smaller = below == (int)want; /* v < other or other < v, strict if wanted */
    if (want && rank == (smaller ? 0 : mask))
        return 0;
    uint64_t nearest = want ? (smaller ? rank - 1 : rank + 1) : rank;
    *value = (way ? (smaller ? 0 : mask) : nearest) ^ flip;
    return 1;
}

static uint64_t float_one(uint32_t width)
{
    return veer_apply_float(VEER_OP_SITOFP, width, 8, 1, 0);
}

/* The same for floating-point comparisons: equal, one less, one more, or not a number. */
static uint64_t related_float(uint32_t op, uint32_t width, uint32_t want, int below, uint64_t other)
{
    if (op == VEER_OP_FUNO)
        return want ? mask_of(width) >> 1 : 0;
    if (op == VEER_OP_FOEQ)
        return want ? other : veer_apply_float(VEER_OP_FADD, width, width, other, float_one(width));
    if ((want && op == VEER_OP_FOLE) || (!want && op == VEER_OP_FOLT))
        return other;
    return veer_apply_float(below == (int)want ? VEER_OP_FSUB : VEER_OP_FADD, width, width, other, float_one(width));
}

static int invert_comparison(struct attempt *attempt, const struct veer_node *node, uint32_t want, uint32_t nesting)
{
    uint32_t width = node_of(node->a)->width, side = choose_operand(attempt, node), changed = side ? node->b : node->a;
    uint64_t other = veer_evaluate(side ? node->a : node->b), value;
    if (node->op >= VEER_OP_FOEQ)
        return invert_term(attempt, changed, related_float(node->op, width, want, side == 0, other), nesting);
    uint32_t way = node->op == VEER_OP_EQ && want ? 0 : choose(attempt, 2);
    return related_value(node->op, width, want, side == 0, other, way, &value) &&
           invert_term(attempt, changed, value, nesting);
}

static int invert_literal(struct attempt *attempt, uint32_t literal, uint32_t want, uint32_t nesting)
{
    const struct veer_node *node = node_of(literal);
    if (veer_evaluate(literal) == want)
        return 1;
    if (is_fixed(literal) || nesting++ == MAX_DESCENT)
        return 0;
    switch (node->op) {
    case VEER_OP_NOT: return invert_literal(attempt, node->a, !want, nesting);
    case VEER_OP_AND:
    case VEER_OP_OR:
        if ((node->op == VEER_OP_AND) == (want == 1))
            return invert_literal(attempt, node->a, want, nesting) && invert_literal(attempt, node->b, want, nesting);
        return invert_literal(attempt, choose_operand(attempt, node) ? node->b : node->a, want, nesting);
    case VEER_OP_EQ:
        if (node_of(node->a)->width == 1) {
            uint32_t changed = choose_operand(attempt, node) ? node->b : node->a;
            return invert_literal(attempt, changed, !veer_evaluate(changed), nesting);
        }
        return invert_comparison(attempt, node, want, nesting);
    case VEER_OP_ULT:
    case VEER_OP_SLT:
    case VEER_OP_FOEQ:
    case VEER_OP_FOLT:
    case VEER_OP_FOLE:
    case VEER_OP_FUNO: return invert_comparison(attempt, node, want, nesting);
    default: return invert_term(attempt, literal, want, nesting);
    }
}

/* Changes leaves of the literal until the slice holds; if no attempt did, the input is as it was. */
enum verdict veer_rung_invert(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length)
{
    uint32_t combinations = 1;
    for (uint32_t number = 0; number < combinations && number < MAX_ATTEMPTS; number++) {
        struct attempt attempt = {number, 1, input, 0};
        veer_evaluate_begin(input, length);
        int is_guess = invert_literal(&attempt, literal, want, 0) && attempt.set;
        if (attempt.combinations > combinations)
            combinations = attempt.combinations;
        if (is_guess && veer_slice_holds(literal, want, input, length))
            return VERDICT_SAT;
        if (attempt.set)
            veer_slice_restore(input);
    }
    return VERDICT_UNKNOWN;
}
