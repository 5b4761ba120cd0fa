/* Expressions as sums of whole numbers. Machine arithmetic is one modulo 2^width; the sum of an expression is taken
   modulo 2^width, too, and is the expression's value only if, whatever the domains allow, it lies within one turn of
   the ring:

       8 bits   x - 48 with x in 48 .. 57           0 .. 9: a sum
                x - 48 with x in 0 .. 255           -48 .. 207, both sides of 0: x - 48 becomes an unknown itself */
#include "linear_form.h"
#include "arena.h"
#include "bits.h"
#include "node.h"
#include "range.h"
#include "ranges.h"
#include "veer_shared.h"

enum { MAX_VISITS = 2048, MAX_NESTING = 64 };

#define MOST_FACTOR ((wide)1 << 56)   /* with 16 terms of 64 bits, sums stay below 2^125 */
#define MOST_CONSTANT ((wide)1 << 66) /* times a factor, they do, too */

static int modular(struct unknowns *unknowns, uint32_t expression, struct form *form);

/* sum += factor * more; 0 = too many terms, or a factor too large. */
int veer_linear_add(struct form *sum, const struct form *more, wide factor)
{
    struct form merged;
    uint32_t i = 0, j = 0;
    if (factor > MOST_FACTOR || factor < -MOST_FACTOR)
        return 0;
    merged.count = 0;
    merged.constant = sum->constant + factor * more->constant;
    while (i < sum->count || j < more->count) {
        uint32_t left = i < sum->count ? sum->terms[i].unknown : VEER_NONE;
        uint32_t right = j < more->count ? more->terms[j].unknown : VEER_NONE;
        wide total = 0;
        if (left <= right)
            total += sum->terms[i++].factor;
        if (right <= left)
            total += factor * more->terms[j++].factor;
        if (total == 0)
            continue;
        if (merged.count == MAX_TERMS || total > MOST_FACTOR || total < -MOST_FACTOR)
            return 0;
        merged.terms[merged.count++] = (struct term){left < right ? left : right, (int64_t)total};
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
        if (factor > MOST_FACTOR || factor < -MOST_FACTOR)
            return 0;
        if (factor)
            form->terms[kept++] = (struct term){form->terms[i].unknown, (int64_t)factor};
    }
    form->count = kept;
    form->constant = nearest_zero(form->constant, width);
    return 1;
}

/* What the sum can be at least and at most. */
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

/* Adds a turn of the ring or more to the sum, so that it is the value; 0 = it may lie in two of them. */
static int fit(const struct unknowns *unknowns, struct form *form, uint32_t width, uint32_t is_signed)
{
    wide low, high, turn = (wide)1 << width, first = is_signed ? -(turn / 2) : 0;
    veer_linear_bounds(unknowns, form, &low, &high);
    wide turns = (low - first) >> width; /* rounded down */
    form->constant -= turns * turn;
    if (form->constant > MOST_CONSTANT || form->constant < -MOST_CONSTANT)
        return 0;
    return high - turns * turn < first + turn;
}

/* The values of an expression, read as signed or not. */
static void set_bounds(struct unknown *unknown)
{
    uint32_t width = node_of(unknown->expression)->width;
    struct range range = veer_range_of(unknown->expression);
    unknown->low = range.low;
    unknown->high = range.high;
    if (!unknown->is_signed)
        return;
    if (range.low < sign_bit(width) && range.high >= sign_bit(width)) {
        unknown->low = -(wide)sign_bit(width);
        unknown->high = (wide)sign_bit(width) - 1;
        veer_signed_hull(unknown->expression, &unknown->low, &unknown->high);
        return;
    }
    unknown->low = sign_extend(range.low, width);
    unknown->high = sign_extend(range.high, width);
}

/* The sum that is this unknown alone. */
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
    form->count = 1;
    form->terms[0] = (struct term){index, 1};
    form->constant = 0;
    return 1;
}

/* How an unknown is read where both ways are right: as what its values are close together. */
static uint32_t is_better_signed(uint32_t expression)
{
    const struct veer_node *node = node_of(expression);
    struct range range = veer_range_of(expression);
    if (range.low >= sign_bit(node->width))
        return 1;
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
    case VEER_OP_CONCAT: return modular_concat(unknowns, node, form);
    case VEER_OP_EXTRACT: return node->b == 0 && modular(unknowns, node->a, form);
    case VEER_OP_ZEXT: return veer_linear_form(unknowns, node->a, 0, form);
    case VEER_OP_SEXT: return veer_linear_form(unknowns, node->a, 1, form);
    default: return 0;
    }
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

int veer_linear_form(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form)
{
    return veer_linear_fits(unknowns, expression, is_signed, form) ||
           (unknowns->visits <= MAX_VISITS && as_unknown(unknowns, expression, is_signed, form));
}
