/* Compositional runs: activations of functions that are executed over symbols of their own. */
#ifndef VEER_LEVELS_H
#define VEER_LEVELS_H
#include "places.h"

#define VEER_MAX_LEVELS 64u /* nested activations with symbols of their own */
#define VEER_MAX_ASIDE (1u << 14)

/* The activation of a function that is executed over symbols of its own. */
struct veer_level {
    uint32_t serial, function, recursion, calls, events, changed, argument_count, uses_stack;
    uint64_t mark; /* its locals lie from here on */
    uint64_t arguments[VEER_MAX_ARGUMENTS];
};

/* The shadow words of a cell as the caller had them. */
struct veer_set_aside {
    uint32_t address, size, words[8];
};

struct veer_levels {
    uint32_t count, outer_calls, serial, aside_count, has_owners, first_serial;
    struct veer_level of[VEER_MAX_LEVELS];
    struct veer_set_aside aside[VEER_MAX_ASIDE];
};
VEER_STATE_FITS(levels);
#define LEVELS VEER_STATE(levels)

void veer_levels_begin(void);
#endif
