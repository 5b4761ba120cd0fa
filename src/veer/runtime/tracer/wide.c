/* Integers of 65 to 128 bits: a value is a pair of expressions, the low 64 bits and the rest. Guards separate the cases of shifts and
   divisions, so that each case is a few operators on words. The instrumenter packs the two shadows of a value into one word. */
#include "endings.h"
#include "engine/arena.h"
#include "engine/bits.h"
#include "engine/division.h"
#include "engine/ledger.h"
#include "events.h"
#include "values.h"
#include "veer_runtime.h"
#include "words.h"

#define WORD 64u

/* Both halves as expressions of 64 bits, and what they are in this run. */
struct pair {
    uint32_t low, high;
    uint64_t low_value, high_value;
};

static uint32_t make(uint32_t op, uint32_t a, uint32_t b) { return a && b ? veer_expression(op, WORD, a, b, 0) : 0; }

static uint32_t test(uint32_t op, uint32_t a, uint32_t b) { return a && b ? veer_expression(op, 1, a, b, 0) : 0; }

static uint32_t both(uint32_t a, uint32_t b) { return a && b ? veer_expression(VEER_OP_AND, 1, a, b, 0) : 0; }

static uint32_t negated(uint32_t a) { return a ? veer_expression(VEER_OP_NOT, 1, a, 0, 0) : 0; }

static uint32_t word(uint64_t value) { return veer_constant(WORD, value); }

static uint32_t as_word(uint32_t bit) { return bit ? veer_expression(VEER_OP_ZEXT, WORD, bit, 0, 0) : 0; }

static unsigned __int128 value_of(const struct pair *a) { return (unsigned __int128)a->high_value << WORD | a->low_value; }

static unsigned __int128 quotient_of(const struct pair *a, const struct pair *b) {
    unsigned __int128 rest;
    return veer_divide(value_of(a), value_of(b), &rest);
}

static unsigned __int128 remainder_of(const struct pair *a, const struct pair *b) {
    unsigned __int128 rest;
    veer_divide(value_of(a), value_of(b), &rest);
    return rest;
}

static struct pair with_value(struct pair a, unsigned __int128 value) {
    a.low_value = (uint64_t)value;
    a.high_value = (uint64_t)(value >> WORD);
    return a;
}

/* The operand of an operation, its upper half extended to 64 bits. */
static struct pair operand(uint32_t width, uint64_t shadows, uint64_t low, uint64_t high, int is_signed) {
    uint32_t rest = width - WORD;
    struct pair a = {veer_operand(WORD, (uint32_t)shadows, low), veer_operand(rest, (uint32_t)(shadows >> 32), high), low, high & mask_of(rest)};
    if (rest == WORD) return a;
    if (a.high) a.high = veer_expression(is_signed ? VEER_OP_SEXT : VEER_OP_ZEXT, WORD, a.high, 0, 0);
    if (is_signed && a.high_value >> (rest - 1)) a.high_value |= ~mask_of(rest);
    return a;
}

/* Both shadows of a result; its upper half is cut to the width. */
static uint64_t packed(uint32_t width, struct pair a, uint32_t site) {
    uint32_t rest = width - WORD;
    if (a.high && rest < WORD) a.high = veer_expression(VEER_OP_EXTRACT, rest, a.high, 0, 0);
    if (!a.low || !a.high) {
        veer_unsupported(site, VEER_LOSS_WIDE);
        return 0;
    }
    return veer_result_shadow(a.low) | (uint64_t)veer_result_shadow(a.high) << 32;
}

static struct pair sum(struct pair a, struct pair b) {
    struct pair r = {.low = make(VEER_OP_ADD, a.low, b.low)};
    r.high = make(VEER_OP_ADD, make(VEER_OP_ADD, a.high, b.high), as_word(test(VEER_OP_ULT, r.low, a.low)));
    return with_value(r, value_of(&a) + value_of(&b));
}

static struct pair difference(struct pair a, struct pair b) {
    struct pair r = {.low = make(VEER_OP_SUB, a.low, b.low)};
    r.high = make(VEER_OP_SUB, make(VEER_OP_SUB, a.high, b.high), as_word(test(VEER_OP_ULT, a.low, b.low)));
    return with_value(r, value_of(&a) - value_of(&b));
}

static struct pair product(struct pair a, struct pair b) {
    struct pair r = {.low = make(VEER_OP_MUL, a.low, b.low)};
    uint32_t crossed = make(VEER_OP_ADD, make(VEER_OP_MUL, a.low, b.high), make(VEER_OP_MUL, a.high, b.low));
    r.high = make(VEER_OP_ADD, make(VEER_OP_UMULH, a.low, b.low), crossed);
    return with_value(r, value_of(&a) * value_of(&b));
}

/* A shift by `places` below 128, of which `near` are those within a word: an expression below 64. */
static struct pair shifted_by(uint32_t op, struct pair a, uint32_t near, uint32_t places) {
    struct pair r;
    int left = op == VEER_OP_SHL;
    uint32_t rest = make(VEER_OP_XOR, near, word(WORD - 1)), back = left ? VEER_OP_LSHR : VEER_OP_SHL;
    uint32_t moved = make(back, make(back, left ? a.low : a.high, word(1)), rest);
    uint32_t low = make(left ? op : VEER_OP_LSHR, a.low, near), high = make(op, a.high, near);
    if (places < WORD)
        r = left ? (struct pair){low, make(VEER_OP_OR, high, moved), 0, 0} : (struct pair){make(VEER_OP_OR, low, moved), high, 0, 0};
    else if (left)
        r = (struct pair){word(0), low, 0, 0};
    else
        r = (struct pair){high, op == VEER_OP_ASHR ? make(VEER_OP_ASHR, a.high, word(WORD - 1)) : word(0), 0, 0};
    unsigned __int128 value = value_of(&a);
    if (left) value <<= places;
    else if (op == VEER_OP_LSHR) value >>= places;
    else value = (unsigned __int128)((__int128)value >> places);
    return with_value(r, value);
}

/* A shift: whether it fits, and whether it goes beyond a word, is decided. */
static struct pair shifted(uint32_t op, uint32_t width, struct pair a, struct pair b, uint32_t site) {
    int fits = b.high_value == 0 && b.low_value < width;
    uint32_t places = (uint32_t)b.low_value & 127, amount = b.low;
    veer_event(VEER_KIND_GUARD, both(test(VEER_OP_EQ, b.high, word(0)), test(VEER_OP_ULT, b.low, word(width))), fits, site);
    if (!fits) { /* for 128 bits LLVM generates code that takes the amount modulo 128 */
        if (width < 128) return (struct pair){0};
        amount = make(VEER_OP_AND, amount, word(127));
    }
    veer_event(VEER_KIND_GUARD, test(VEER_OP_ULT, amount, word(WORD)), places < WORD, site);
    return shifted_by(op, a, make(VEER_OP_AND, amount, word(WORD - 1)), places);
}

/* a:b / c or a:b % c by words; a division of one word where that is enough. */
static uint32_t long_division(uint32_t op, uint32_t a, uint32_t b, uint32_t c) {
    uint64_t high;
    if (!a || !b || !c) return 0;
    if (veer_is_constant(a, &high) && high == 0) return make(op == VEER_OP_UDIVL ? VEER_OP_UDIV : VEER_OP_UREM, b, c);
    return veer_expression(op, WORD, a, b, c);
}

/* How many zeros lie above the highest one, as an expression. */
static uint32_t leading_zeros(uint32_t e) {
    for (uint32_t step = 1; step < WORD; step *= 2) e = make(VEER_OP_OR, e, make(VEER_OP_LSHR, e, word(step)));
    e = make(VEER_OP_XOR, e, word(~0ull));
    return e ? veer_expression(VEER_OP_CTPOP, WORD, e, 0, 0) : 0;
}

/* The quotient by a divisor of more than 64 bits, which itself is below 2^64: an estimate from the divisor's first 64 bits is too big
   by at most one (Hacker's Delight, section 9-5). */
static struct pair by_long_divisor(struct pair a, struct pair b) {
    uint32_t zeros = leading_zeros(b.high);
    struct pair halved = shifted_by(VEER_OP_LSHR, a, word(1), 1);
    struct pair normal = shifted_by(VEER_OP_SHL, b, zeros, (uint32_t)__builtin_clzll(b.high_value));
    uint32_t estimate = long_division(VEER_OP_UDIVL, halved.high, halved.low, normal.high);
    estimate = make(VEER_OP_LSHR, estimate, make(VEER_OP_XOR, zeros, word(WORD - 1)));
    uint32_t is_zero = test(VEER_OP_EQ, estimate, word(0)), less = make(VEER_OP_SUB, estimate, word(1));
    if (!is_zero || !less) return (struct pair){0};
    struct pair quotient = {.low = veer_expression(VEER_OP_ITE, WORD, is_zero, estimate, less), .high = word(0)};
    struct pair rest = difference(a, product(quotient, b));
    uint32_t equal = test(VEER_OP_EQ, rest.high, b.high);
    uint32_t below = test(VEER_OP_ULT, rest.high, b.high), same = both(equal, test(VEER_OP_ULT, rest.low, b.low));
    uint32_t stays = below && same ? veer_expression(VEER_OP_OR, 1, below, same, 0) : 0;
    quotient.low = make(VEER_OP_ADD, quotient.low, as_word(negated(stays)));
    return with_value(quotient, quotient_of(&a, &b));
}

static struct pair unsigned_quotient(struct pair a, struct pair b, uint32_t site) {
    veer_event(VEER_KIND_GUARD, test(VEER_OP_EQ, b.high, word(0)), b.high_value == 0, site);
    if (b.high_value) return by_long_divisor(a, b);
    struct pair r = {.high = make(VEER_OP_UDIV, a.high, b.low)};
    r.low = long_division(VEER_OP_UDIVL, make(VEER_OP_UREM, a.high, b.low), a.low, b.low);
    return with_value(r, quotient_of(&a, &b));
}

static struct pair unsigned_remainder(struct pair a, struct pair b, uint32_t site) {
    veer_event(VEER_KIND_GUARD, test(VEER_OP_EQ, b.high, word(0)), b.high_value == 0, site);
    if (b.high_value) return difference(a, product(by_long_divisor(a, b), b));
    struct pair r = {.high = word(0)};
    r.low = long_division(VEER_OP_UREML, make(VEER_OP_UREM, a.high, b.low), a.low, b.low);
    return with_value(r, remainder_of(&a, &b));
}

/* The absolute value; the sign is decided. */
static struct pair magnitude(struct pair a, int *is_negative, uint32_t site) {
    struct pair zero = {word(0), word(0), 0, 0};
    *is_negative = (int)(a.high_value >> 63);
    veer_event(VEER_KIND_GUARD, test(VEER_OP_SLT, a.high, word(0)), (uint32_t)*is_negative, site);
    return *is_negative ? difference(zero, a) : a;
}

static struct pair divided(uint32_t op, struct pair a, struct pair b, uint32_t site) {
    struct pair zero = {word(0), word(0), 0, 0};
    int negative_a = 0, negative_b = 0, is_signed = op == VEER_OP_SDIV || op == VEER_OP_SREM;
    if (is_signed) {
        a = magnitude(a, &negative_a, site);
        b = magnitude(b, &negative_b, site);
    }
    int is_quotient = op == VEER_OP_UDIV || op == VEER_OP_SDIV;
    struct pair r = is_quotient ? unsigned_quotient(a, b, site) : unsigned_remainder(a, b, site);
    return (is_quotient ? negative_a != negative_b : negative_a) ? difference(zero, r) : r;
}

/* The oracle of a division, for concrete divisors too. */
static void check_divisor(struct pair b, uint32_t site) {
    int holds = (b.low_value | b.high_value) != 0;
    uint32_t is_zero = both(test(VEER_OP_EQ, b.low, word(0)), test(VEER_OP_EQ, b.high, word(0)));
    veer_event(VEER_KIND_CHECK, negated(is_zero), (uint32_t)holds, site);
    if (!holds) veer_end_run(VEER_OUTCOME_DIVISION, site, "an integer is divided by zero");
}

static int is_concrete(uint64_t shadows) { return !veer_symbolic((uint32_t)shadows) && !veer_symbolic((uint32_t)(shadows >> 32)); }

static int is_division(uint32_t op) {
    return op == VEER_OP_UDIV || op == VEER_OP_SDIV || op == VEER_OP_UREM || op == VEER_OP_SREM;
}

uint64_t veer_wide_binary(uint32_t op, uint32_t width, uint64_t sa, uint64_t a_low, uint64_t a_high, uint64_t sb, uint64_t b_low,
                          uint64_t b_high, uint32_t site) {
    int is_signed = op == VEER_OP_SDIV || op == VEER_OP_SREM || op == VEER_OP_ASHR;
    if (veer_past_bound()) sa = sb = 0;
    int concrete = is_concrete(sa) && is_concrete(sb);
    if (concrete && !is_division(op)) return 0;
    struct pair a = operand(width, sa, a_low, a_high, is_signed), b = operand(width, sb, b_low, b_high, is_division(op) && is_signed), r;
    if (is_division(op)) check_divisor(b, site);
    if (concrete) return 0;
    switch (op) {
    case VEER_OP_ADD: r = sum(a, b); break;
    case VEER_OP_SUB: r = difference(a, b); break;
    case VEER_OP_MUL: r = product(a, b); break;
    case VEER_OP_AND:
    case VEER_OP_OR:
    case VEER_OP_XOR: r = (struct pair){make(op, a.low, b.low), make(op, a.high, b.high), 0, 0}; break;
    case VEER_OP_SHL:
    case VEER_OP_LSHR:
    case VEER_OP_ASHR: r = shifted(op, width, a, b, site); break;
    default: r = divided(op, a, b, site); break;
    }
    return packed(width, r, site);
}

static uint32_t less(struct pair a, struct pair b, int is_signed) {
    uint32_t upper = test(is_signed ? VEER_OP_SLT : VEER_OP_ULT, a.high, b.high);
    uint32_t lower = both(test(VEER_OP_EQ, a.high, b.high), test(VEER_OP_ULT, a.low, b.low));
    return upper && lower ? veer_expression(VEER_OP_OR, 1, upper, lower, 0) : 0;
}

uint32_t veer_wide_compare(uint32_t predicate, uint32_t width, uint64_t sa, uint64_t a_low, uint64_t a_high, uint64_t sb, uint64_t b_low,
                           uint64_t b_high, uint32_t site) {
    if (veer_past_bound() || (is_concrete(sa) && is_concrete(sb))) return 0;
    int is_signed = predicate >= VEER_PREDICATE_SGT && predicate <= VEER_PREDICATE_SLE;
    struct pair a = operand(width, sa, a_low, a_high, is_signed), b = operand(width, sb, b_low, b_high, is_signed);
    uint32_t equal = both(test(VEER_OP_EQ, a.low, b.low), test(VEER_OP_EQ, a.high, b.high)), result;
    switch (predicate) {
    case VEER_PREDICATE_EQ: result = equal; break;
    case VEER_PREDICATE_NE: result = negated(equal); break;
    case VEER_PREDICATE_UGT:
    case VEER_PREDICATE_SGT: result = less(b, a, is_signed); break;
    case VEER_PREDICATE_UGE:
    case VEER_PREDICATE_SGE: result = negated(less(a, b, is_signed)); break;
    case VEER_PREDICATE_ULT:
    case VEER_PREDICATE_SLT: result = less(a, b, is_signed); break;
    default: result = negated(less(b, a, is_signed)); break;
    }
    if (!result) veer_note_loss(VEER_LOSS_WIDE, site);
    return veer_result_shadow(result);
}

uint64_t veer_wide_cast(uint32_t op, uint32_t from, uint32_t to, uint64_t s, uint64_t low, uint64_t high, uint32_t site) {
    if (veer_past_bound() || is_concrete(s)) return 0;
    int is_signed = op == VEER_OP_SEXT;
    struct pair a = {0};
    if (from > WORD) {
        a = operand(from, s, low, high, is_signed);
    } else {
        uint32_t e = veer_operand(from, (uint32_t)s, low);
        a.low = e && from < WORD ? veer_expression(op, WORD, e, 0, 0) : e;
        a.high = is_signed ? make(VEER_OP_ASHR, a.low, word(WORD - 1)) : word(0);
    }
    if (to > WORD) return packed(to, a, site);
    uint32_t cut = a.low && to < WORD ? veer_expression(VEER_OP_EXTRACT, to, a.low, 0, 0) : a.low;
    if (!cut) veer_note_loss(VEER_LOSS_WIDE, site);
    return veer_result_shadow(cut);
}
