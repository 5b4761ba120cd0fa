/* Checks of overflow as sums of whole numbers. */
#ifndef ENGINE_LINEAR_CHECKS_H
#define ENGINE_LINEAR_CHECKS_H
#include "linear_form.h"

struct veer_node;

/* A sum of whole numbers that a machine word holds, or does not. */
struct checked {
    uint32_t expression; /* what has the sum as its value where a word holds it */
    struct form sum;
    wide least, greatest; /* of the word */
};

int veer_checked_product(struct unknowns *unknowns, const struct veer_node *literal, struct checked *checked);
int veer_checked_overflow(struct unknowns *unknowns, const struct veer_node *literal, struct checked *checked);

/* A quotient or remainder by a constant. */
struct division {
    struct form operand;
    int64_t divisor;
    wide least_rest;
    int is_remainder;
};

int veer_linear_division(struct unknowns *unknowns, uint32_t unknown, struct division *division);
#endif
