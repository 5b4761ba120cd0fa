/* Expressions as sums of whole numbers. */
#ifndef ENGINE_LINEAR_FORM_H
#define ENGINE_LINEAR_FORM_H
#include <stdint.h>

enum { MAX_TERMS = 16, MAX_UNKNOWNS = 64, MAX_ROWS = 64 };

typedef __int128 wide;

/* A number that sums are made of: a leaf, or an expression that is no sum, read as signed or not. */
struct unknown {
    uint32_t expression, is_signed;
    wide low, high;
};

struct term {
    uint32_t unknown;
    int64_t factor;
};

/* constant + the sum of factor * unknown; the terms by ascending unknown, no factor 0. */
struct form {
    uint32_t count;
    struct term terms[MAX_TERMS];
    wide constant;
};

struct unknowns {
    uint32_t count, visits, nesting;
    struct unknown of[MAX_UNKNOWNS];
};

/* The value of an expression of the cone of ranges.c as a sum that is exact in every input that the
   domains allow; 0 = it is too long. */
int veer_linear_form(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form);
int veer_linear_fits(struct unknowns *unknowns, uint32_t expression, uint32_t is_signed, struct form *form);
int veer_linear_add(struct form *sum, const struct form *more, wide factor);
void veer_linear_bounds(const struct unknowns *unknowns, const struct form *form, wide *low, wide *high);
#endif
