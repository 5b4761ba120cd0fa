/* Expressions as sums of whole numbers. */
#ifndef ENGINE_LINEAR_FORM_H
#define ENGINE_LINEAR_FORM_H
#include <stdint.h>

enum { MAX_TERMS = 20, MAX_UNKNOWNS = 64, MAX_ROWS = 128, MAX_HOLES = 8 };

typedef __int128 wide;

/* A number that sums are made of: a leaf, or an expression that is no sum, read as signed or not. */
struct unknown {
    uint32_t expression, is_signed; /* is_signed: 0, 1, or IS_QUOTIENT */
    wide low, high;
};

enum { IS_QUOTIENT = 2 };

struct term {
    uint32_t unknown, bits; /* bits: of the unknown's greatest size */
    int64_t factor;
};

/* constant + the sum of factor * unknown; the terms by ascending unknown, no factor 0. */
struct form {
    uint32_t count;
    struct term terms[MAX_TERMS];
    wide constant;
};

/* low <= sum <= high, and sum is none of the holes; the sum's constant is 0. */
struct row {
    struct form sum;
    wide low, high;
    uint32_t hole_count;
    wide holes[MAX_HOLES];
};

/* An expression whose value is the sum, in each input that fulfils the slice: a check found that it does not overflow. */
struct exact {
    uint32_t expression;
    struct form sum;
};

struct unknowns {
    uint32_t count, visits, nesting, row_count, exact_count;
    const struct row *rows; /* what is known of sums */
    struct exact *exact;    /* room for MAX_ROWS */
    struct unknown of[MAX_UNKNOWNS];
};

/* The value of an expression of the cone of ranges.c as a sum that is exact in every input that the
   domains allow; 0 = it is too long. */
int veer_linear_form(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form);
int veer_linear_fits(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form);
/* Whether an expression of that width is the sum modulo 2^width. */
int veer_linear_is(struct unknowns *unknowns, uint32_t expression, const struct form *sum);
int veer_linear_add(struct form *sum, const struct form *more, wide factor);
/* What the sum can be at least and at most: by its unknowns alone, or by the rows as well. */
/* The sum that is an unknown alone. */
struct form veer_linear_unknown(const struct unknowns *unknowns, uint32_t unknown);
/* The quotient that goes with a remainder, as an unknown of its own: its number, NONE = no room. */
uint32_t veer_linear_quotient(struct unknowns *unknowns, uint32_t remainder);
/* Keeps that the expression is the sum. */
void veer_linear_is_exactly(struct unknowns *unknowns, uint32_t expression, const struct form *sum);
void veer_linear_bounds(const struct unknowns *unknowns, const struct form *form, wide *low, wide *high);
void veer_linear_known(const struct unknowns *unknowns, const struct form *form, wide *low, wide *high);
#endif
