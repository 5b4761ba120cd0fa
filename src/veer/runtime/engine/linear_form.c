/* Expressions as sums of whole numbers. Machine arithmetic is one modulo 2^width; the sum of an expression is taken
   modulo 2^width, too, and is the expression's value only if, whatever the domains allow, it lies within one turn of
   the ring:

       8 bits   x - 48 with x in 48 .. 57           0 .. 9: a sum
                x - 48 with x in 0 .. 255           -48 .. 207, both sides of 0: x - 48 becomes an unknown itself

   What rows say of a sum counts, too: 10 * n + d of ten digits lies within 32 bits where a check found that it does. */
#include "linear_form.h"
#include "arena.h"
#include "bits.h"
#include "division.h"
#include "node.h"
#include "range.h"
#include "ranges.h"
#include "veer_shared.h"

enum { MAX_VISITS = 1 << 14, MAX_NESTING = 64 };

#define MOST_MULTIPLIER ((wide)1 << 56) /* of a sum */
#define MOST_CONSTANT ((wide)1 << 66)
enum { MOST_FACTOR_BITS = 62, MOST_BITS = 120 }; /* 20 terms of so many bits stay below 2^125 */

static int modular(struct unknowns *unknowns, uint32_t expression, struct form *form);

/* How many bits the size of a number has. */
static uint32_t bits_of(wide number)
{
    unsigned __int128 size = number < 0 ? 0 - (unsigned __int128)number : (unsigned __int128)number;
    uint64_t high = (uint64_t)(size >> 64), low = (uint64_t)size;
    return high ? 128u - (uint32_t)__builtin_clzll(high) : low ? 64u - (uint32_t)__builtin_clzll(low) : 0;
}

static int is_factor(wide factor, uint32_t bits)
{
    uint32_t own = bits_of(factor);
    return own <= MOST_FACTOR_BITS && own + bits <= MOST_BITS;
}

/* sum += factor * more; 0 = too many terms, or a factor or constant too large. */
int veer_linear_add(struct form *sum, const struct form *more, wide factor)
{
    struct form merged;
    uint32_t i = 0, j = 0;
    if (factor > MOST_MULTIPLIER || factor < -MOST_MULTIPLIER || bits_of(sum->constant) > MOST_BITS ||
        bits_of(factor) + bits_of(more->constant) > MOST_BITS)
        return 0;
    merged.count = 0;
    merged.constant = sum->constant + factor * more->constant;
    while (i < sum->count || j < more->count) {
        uint32_t left = i < sum->count ? sum->terms[i].unknown : VEER_NONE;
        uint32_t right = j < more->count ? more->terms[j].unknown : VEER_NONE;
        uint32_t bits = left < right ? sum->terms[i].bits : more->terms[j].bits;
        wide total = 0;
        if (left <= right)
            total += sum->terms[i++].factor;
        if (right <= left)
            total += factor * more->terms[j++].factor;
        if (total == 0)
            continue;
        if (merged.count == MAX_TERMS || !is_factor(total, bits))
            return 0;
        merged.terms[merged.count++] = (struct term){left < right ? left : right, bits, (int64_t)total};
    }
    sum->count = merged.count;
    sum->constant = merged.constant;
    for (i = 0; i < merged.count; i++)
        sum->terms[i] = merged.terms[i];
    return 1;
}

/* The number that is closest to 0 and the same modulo 2^width. */
static wide nearest_zero(wide number, uint32_t width)
{
    return sign_extend((uint64_t)number & mask_of(width), width);
}

/* Factors and constant modulo 2^width, close to 0; 0 = a factor is too large. */
static int reduce(struct form *form, uint32_t width)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < form->count; i++) {
        wide factor = nearest_zero(form->terms[i].factor, width);
        if (!is_factor(factor, form->terms[i].bits))
            return 0;
        if (factor)
            form->terms[kept++] = (struct term){form->terms[i].unknown, form->terms[i].bits, (int64_t)factor};
    }
    form->count = kept;
    form->constant = nearest_zero(form->constant, width);
    return 1;
}

void veer_linear_bounds(const struct unknowns *unknowns, const struct form *form, wide *low, wide *high)
{
    *low = *high = form->constant;
    for (uint32_t i = 0; i < form->count; i++) {
        const struct unknown *unknown = &unknowns->of[form->terms[i].unknown];
        wide factor = form->terms[i].factor;
        *low += factor * (factor > 0 ? unknown->low : unknown->high);
        *high += factor * (factor > 0 ? unknown->high : unknown->low);
    }
}

/* Whether a bound of a row, times that number, is one for a sum. */
static int is_bound(wide bound, int64_t ratio)
{
    return bits_of(bound) + bits_of(ratio) <= MOST_BITS;
}

/* The value of an unknown that has only one left. */
static int has_one_value(const struct unknowns *unknowns, uint32_t unknown, wide *value)
{
    *value = unknowns->of[unknown].low;
    return *value == unknowns->of[unknown].high;
}

/* By what the row's sum must be multiplied to be this one, but for constants; 0 = it is another sum. *fixed: what the row's unknowns that
   have one value add to its sum; the form has none of them. */
static int64_t multiple_of(const struct unknowns *unknowns, const struct form *form, const struct row *row, wide *fixed)
{
    uint32_t matched = 0;
    int64_t ratio = 0;
    wide value;
    *fixed = 0;
    for (uint32_t i = 0; i < row->sum.count; i++) {
        const struct term *other = &row->sum.terms[i], *term = &form->terms[matched];
        if (has_one_value(unknowns, other->unknown, &value)) {
            *fixed += other->factor * value;
            continue;
        }
        if (matched == form->count || term->unknown != other->unknown)
            return 0;
        if (matched++ == 0)
            ratio = term->factor / other->factor;
        if ((wide)other->factor * ratio != term->factor)
            return 0;
    }
    return matched == form->count ? ratio : 0;
}

void veer_linear_known(const struct unknowns *unknowns, const struct form *form, wide *low, wide *high)
{
    veer_linear_bounds(unknowns, form, low, high);
    for (uint32_t i = 0; i < unknowns->row_count; i++) {
        const struct row *row = &unknowns->rows[i];
        wide fixed;
        int64_t ratio = multiple_of(unknowns, form, row, &fixed);
        wide first = (ratio > 0 ? row->low : row->high) - fixed, last = (ratio > 0 ? row->high : row->low) - fixed;
        if (ratio && is_bound(first, ratio) && ratio * first + form->constant > *low)
            *low = ratio * first + form->constant;
        if (ratio && is_bound(last, ratio) && ratio * last + form->constant < *high)
            *high = ratio * last + form->constant;
    }
}

/* Adds a turn of the ring or more to the sum, so that it is the value; 0 = it may lie in two of them. */
static int fit(const struct unknowns *unknowns, struct form *form, uint32_t width, uint32_t is_signed)
{
    wide low, high, turn = (wide)1 << width, first = is_signed ? -(turn / 2) : 0;
    veer_linear_known(unknowns, form, &low, &high);
    wide turns = (low - first) >> width; /* rounded down */
    form->constant -= turns * turn;
    if (form->constant > MOST_CONSTANT || form->constant < -MOST_CONSTANT)
        return 0;
    return high - turns * turn < first + turn;
}

/* What a signed quotient or remainder by a constant can be at most, in size. */
static wide most_of_division(const struct veer_node *node)
{
    uint64_t divisor;
    wide most = (wide)sign_bit(node->width);
    int is_division = (node->op == VEER_OP_SDIV || node->op == VEER_OP_SREM) && veer_is_constant(node->b, &divisor);
    if (!is_division || divisor == 0 || divisor >= sign_bit(node->width))
        return most;
    return node->op == VEER_OP_SREM ? (wide)divisor - 1 : veer_divide_down(most, (int64_t)divisor);
}

/* The values of an expression, read as signed or not. */
static void set_bounds(struct unknown *unknown)
{
    const struct veer_node *node = node_of(unknown->expression);
    uint32_t width = node->width;
    struct range range = veer_range_of(unknown->expression);
    unknown->low = range.low;
    unknown->high = range.high;
    if (!unknown->is_signed)
        return;
    if (range.low < sign_bit(width) && range.high >= sign_bit(width)) {
        unknown->low = -(wide)sign_bit(width);
        unknown->high = (wide)sign_bit(width) - 1;
        veer_signed_hull(unknown->expression, &unknown->low, &unknown->high);
        wide most = most_of_division(node);
        unknown->low = unknown->low < -most ? -most : unknown->low;
        unknown->high = unknown->high > most ? most : unknown->high;
        return;
    }
    unknown->low = sign_extend(range.low, width);
    unknown->high = sign_extend(range.high, width);
}

struct form veer_linear_unknown(const struct unknowns *unknowns, uint32_t unknown)
{
    uint32_t low = bits_of(unknowns->of[unknown].low), high = bits_of(unknowns->of[unknown].high);
    return (struct form){.count = 1, .terms = {{unknown, low > high ? low : high, 1}}};
}

/* The sum that is this expression alone. */
static int as_unknown(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form)
{
    uint32_t index = 0;
    while (index < unknowns->count &&
           (unknowns->of[index].expression != expression || unknowns->of[index].is_signed != is_signed))
        index++;
    if (index == MAX_UNKNOWNS)
        return 0;
    if (index == unknowns->count) {
        unknowns->of[unknowns->count++] = (struct unknown){expression, is_signed, 0, 0};
        set_bounds(&unknowns->of[index]);
    }
    wide value;
    *form = veer_linear_unknown(unknowns, index);
    if (has_one_value(unknowns, index, &value)) {
        form->count = 0;
        form->constant = value;
    }
    return 1;
}

uint32_t veer_linear_quotient(struct unknowns *unknowns, uint32_t remainder)
{
    if (unknowns->count == MAX_UNKNOWNS)
        return VEER_NONE;
    unknowns->of[unknowns->count] =
        (struct unknown){unknowns->of[remainder].expression, IS_QUOTIENT, -((wide)1 << 64), (wide)1 << 64};
    return unknowns->count++;
}

/* How an unknown is read where both ways are right: as what its values are close together. */
static uint32_t is_better_signed(uint32_t expression)
{
    const struct veer_node *node = node_of(expression);
    struct range range = veer_range_of(expression);
    if (range.low >= sign_bit(node->width))
        return 1;
    if (most_of_division(node) < (wide)sign_bit(node->width))
        return range.high >= sign_bit(node->width);
    return node->op == VEER_OP_LEAF && VEER_LEAVES[node->a].kind == VEER_LEAFKIND_SIGNED &&
           range.high >= sign_bit(node->width);
}

static int modular_concat(struct unknowns *unknowns, const struct veer_node *node, struct form *form)
{
    uint32_t low_width = node_of(node->b)->width;
    struct form high;
    if (!modular(unknowns, node->a, &high) || !veer_linear_form(unknowns, node->b, 0, form))
        return 0;
    return low_width <= 56 && veer_linear_add(form, &high, (wide)1 << low_width);
}

/* Whether the sum is a multiple of 2^bits, whatever its unknowns are. */
static int is_multiple(const struct form *form, uint32_t bits)
{
    wide rest = ((wide)1 << bits) - 1, found = form->constant & rest;
    for (uint32_t i = 0; i < form->count; i++)
        found |= form->terms[i].factor & rest;
    return found == 0;
}

/* a | b as a sum, where b is smaller than what a is a multiple of. */
static int modular_or(struct unknowns *unknowns, uint32_t a, uint32_t b, struct form *form)
{
    struct form other;
    uint64_t most = veer_range_of(b).high;
    return !veer_range_of(b).is_float && modular(unknowns, a, form) &&
           is_multiple(form, most ? 64u - (uint32_t)__builtin_clzll(most) : 0) &&
           veer_linear_form(unknowns, b, 0, &other) && veer_linear_add(form, &other, 1);
}

/* The sum of an operator's operands; 0 = the operator makes no sum. */
static int modular_operator(struct unknowns *unknowns, const struct veer_node *node, struct form *form)
{
    struct form other;
    uint64_t constant;
    switch (node->op) {
    case VEER_OP_ADD:
    case VEER_OP_SUB:
        return modular(unknowns, node->a, form) && modular(unknowns, node->b, &other) &&
               veer_linear_add(form, &other, node->op == VEER_OP_ADD ? 1 : -1);
    case VEER_OP_MUL:
        return veer_is_constant(node->b, &constant) && modular(unknowns, node->a, &other) &&
               veer_linear_add(form, &other, nearest_zero((wide)constant, node->width));
    case VEER_OP_SHL:
        return veer_is_constant(node->b, &constant) && constant < 56 && modular(unknowns, node->a, &other) &&
               veer_linear_add(form, &other, (wide)1 << constant);
    case VEER_OP_OR:
        if (modular_or(unknowns, node->a, node->b, form))
            return 1;
        form->count = 0;
        form->constant = 0;
        return modular_or(unknowns, node->b, node->a, form);
    case VEER_OP_CONCAT: return modular_concat(unknowns, node, form);
    case VEER_OP_EXTRACT: return node->b == 0 && modular(unknowns, node->a, form);
    case VEER_OP_ZEXT: return veer_linear_form(unknowns, node->a, 0, form);
    case VEER_OP_SEXT: return veer_linear_form(unknowns, node->a, 1, form);
    default: return 0;
    }
}

void veer_linear_is_exactly(struct unknowns *unknowns, uint32_t expression, const struct form *sum)
{
    if (unknowns->exact_count < MAX_ROWS)
        unknowns->exact[unknowns->exact_count++] = (struct exact){expression, *sum};
}

/* What is known to be the expression's sum, without the unknowns that have one value by now; 0 = nothing is known. */
static int exact_form(const struct unknowns *unknowns, uint32_t expression, struct form *form)
{
    uint32_t at = unknowns->exact_count, kept = 0;
    while (at > 0 && unknowns->exact[at - 1].expression != expression)
        at--;
    if (at == 0)
        return 0;
    *form = unknowns->exact[at - 1].sum;
    for (uint32_t i = 0; i < form->count; i++) {
        wide value;
        if (has_one_value(unknowns, form->terms[i].unknown, &value))
            form->constant += form->terms[i].factor * value;
        else
            form->terms[kept++] = form->terms[i];
    }
    form->count = kept;
    return 1;
}

/* A sum that is the expression's value modulo 2^width. */
static int modular(struct unknowns *unknowns, uint32_t expression, struct form *form)
{
    const struct veer_node *node = node_of(expression);
    uint64_t constant;
    form->count = 0;
    form->constant = 0;
    if (++unknowns->visits > MAX_VISITS)
        return 0;
    if (veer_is_constant(expression, &constant)) {
        form->constant = nearest_zero((wide)constant, node->width);
        return 1;
    }
    if (exact_form(unknowns, expression, form))
        return 1;
    int is_sum = 0;
    if (unknowns->nesting < MAX_NESTING) {
        unknowns->nesting++;
        is_sum = modular_operator(unknowns, node, form) && reduce(form, node->width);
        unknowns->nesting--;
    }
    return is_sum || as_unknown(unknowns, expression, is_better_signed(expression), form);
}

/* The same for an expression whose sum lies within one turn; 0 = it does not. */
int veer_linear_fits(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form)
{
    return modular(unknowns, expression, form) && fit(unknowns, form, node_of(expression)->width, is_signed);
}

int veer_linear_is(struct unknowns *unknowns, uint32_t expression, const struct form *sum)
{
    struct form form;
    return modular(unknowns, expression, &form) && veer_linear_add(&form, sum, -1) &&
           reduce(&form, node_of(expression)->width) && form.count == 0 && form.constant == 0;
}

int veer_linear_form(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form)
{
    return veer_linear_fits(unknowns, expression, is_signed, form) ||
           (unknowns->visits <= MAX_VISITS && as_unknown(unknowns, expression, is_signed, form));
}
