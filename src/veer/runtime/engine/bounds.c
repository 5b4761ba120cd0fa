/* Bounds that the slice gives: `x < 1001`, where x is made of several leaves (bytes that are joined, a sum), says of x what
   no leaf's domain holds. Every input that fulfils the slice fulfils each of its constraints, so an expression's range may
   be narrowed by all comparisons of it with constants, wherever the expression stands. */
#include "bounds.h"
#include "bits.h"
#include "evaluate.h"
#include "node.h"
#include "slice.h"
#include "trail.h"

enum { MAX_BOUNDS = 256 };

/* A comparison of the expression at a position of the cone with a constant, or its opposite. */
struct bound {
    uint32_t op, want, is_below; /* is_below: the expression is on the left */
    uint32_t at, next;           /* next: of the same expression, its number + 1, 0 = none */
    uint64_t constant;
};

struct bounds_state {
    uint32_t count;
    struct bound bounds[MAX_BOUNDS];
    uint32_t first[CONE_LIMIT]; /* of the expression at a position of the cone: the bound's number + 1 */
};
ENGINE_STATE_FITS(bounds);
#define BOUNDS ENGINE_STATE(bounds)

/* low .. high, or, where low > high, what is not between them: low .. greatest and 0 .. high. */
struct circle {
    uint64_t low, high;
};

/* Which values the comparison allows. 0 = none, or all but one. */
static int allowed(const struct bound *bound, uint32_t width, struct circle *values)
{
    uint64_t least = 0, greatest = mask_of(width), constant = bound->constant;
    if (bound->op == VEER_OP_EQ) {
        *values = (struct circle){constant, constant};
        return (int)bound->want;
    }
    if (bound->op == VEER_OP_SLT) {
        least = sign_bit(width);
        greatest = least - 1;
    }
    if (bound->is_below == bound->want) { /* x < constant, or not constant < x */
        if (bound->want && constant == least)
            return 0;
        *values = (struct circle){least, (constant - bound->want) & mask_of(width)};
    } else {
        if (bound->want && constant == greatest)
            return 0;
        *values = (struct circle){(constant + bound->want) & mask_of(width), greatest};
    }
    return 1;
}

/* The least range that holds what both have; the range itself where they have nothing in common. */
static struct range intersection(struct range range, struct circle values)
{
    uint64_t low = range.low > values.low ? range.low : values.low;
    uint64_t high = range.high < values.high ? range.high : values.high;
    if (values.low <= values.high)
        return low <= high ? between(low, high) : range;
    int is_above = low <= range.high, is_under = range.low <= high;
    return is_above == is_under ? range : is_above ? between(low, range.high) : between(range.low, high);
}

/* Whether a constraint of the slice compares an expression of the cone with a constant. */
static int read_bound(const struct residual *residual, struct bound *bound)
{
    const struct evaluator_state *evaluator = EVALUATOR;
    const struct veer_node *node = node_of(residual->literal);
    bound->want = residual->want;
    while (node->op == VEER_OP_NOT) {
        node = node_of(node->a);
        bound->want = !bound->want;
    }
    if (node->op != VEER_OP_EQ && node->op != VEER_OP_ULT && node->op != VEER_OP_SLT)
        return 0;
    bound->op = node->op;
    bound->is_below = node_of(node->b)->op == VEER_OP_CONST;
    uint32_t expression = bound->is_below ? node->a : node->b, other = bound->is_below ? node->b : node->a;
    if (node_of(other)->op != VEER_OP_CONST)
        return 0;
    bound->constant = node_of(other)->value;
    uint64_t place = evaluator->value[expression]; /* something else where the cone does not have it */
    if (place >= evaluator->cone_count || evaluator->cone[place] != expression)
        return 0;
    bound->at = (uint32_t)place;
    return 1;
}

/* Reads the slice's comparisons of expressions of the cone, each of which has its position as its value. */
void veer_bounds_collect(void)
{
    struct bounds_state *bounds = BOUNDS;
    const struct slice *slice = SLICE;
    while (bounds->count)
        bounds->first[bounds->bounds[--bounds->count].at] = 0;
    for (uint32_t i = 0; i < slice->residual_count && bounds->count < MAX_BOUNDS; i++) {
        struct bound *bound = &bounds->bounds[bounds->count];
        if (!read_bound(&TRAIL->residuals[slice->residuals[i]], bound))
            continue;
        bound->next = bounds->first[bound->at];
        bounds->first[bound->at] = ++bounds->count;
    }
}

/* The range of the expression at a position of the cone, narrowed by what the slice says of it. */
struct range veer_bounds_narrow(uint32_t at, struct range range)
{
    const struct bounds_state *bounds = BOUNDS;
    uint32_t width = node_of(EVALUATOR->cone[at])->width;
    if (!bounds->count || range.is_float)
        return range;
    for (uint32_t round = 0; round < 2; round++) { /* x < 9 as signed numbers says something once x >= 0 is known */
        for (uint32_t number = bounds->first[at]; number; number = bounds->bounds[number - 1].next) {
            struct circle values;
            if (allowed(&bounds->bounds[number - 1], width, &values))
                range = intersection(range, values);
        }
    }
    return range;
}
