/* The independence slice. */
#ifndef ENGINE_SLICE_H
#define ENGINE_SLICE_H
#include "places.h"
#include "trail.h"

enum {
    SLICE_LEAVES = 2048,
    SLICE_RESIDUALS = 4096
};

/* The constraints that share leaves, transitively, with the literal to be solved. */
struct slice {
    uint32_t leaf_count, residual_count, stamp;
    uint32_t leaves[SLICE_LEAVES];
    uint32_t residuals[SLICE_RESIDUALS];
    uint64_t values[SLICE_LEAVES]; /* of the leaves, in the parent's input */
};

struct slice_state {
    struct slice slice;
    uint32_t leaf_stamp[VEER_LEAVES_CAPACITY];
    uint32_t residual_stamp[RESIDUALS];
};
ENGINE_STATE_FITS(slice);
#define SLICE (&ENGINE_STATE(slice)->slice)

int veer_slice_build(uint32_t literal);
int veer_slice_holds(uint32_t literal, uint32_t want, const uint8_t *input, uint32_t length);
void veer_slice_restore(uint8_t *input);
#endif
