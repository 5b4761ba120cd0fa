/* All combinations of values of a few leaves. */
#ifndef ENGINE_GRID_H
#define ENGINE_GRID_H
#include "trail.h"

enum {
    GRID_LEAVES = 16,
    GRID_LITERALS = 64
};

/* A leaf of a grid and its values: values[first : first + size] of the grid's, the parent's first. */
struct axis {
    uint32_t leaf, first, size, position;
    uint64_t parent;
    uint64_t *column; /* its lanes */
};

/* All combinations of values of some leaves, and what literals are wanted. */
struct grid {
    uint32_t axis_count, literal_count;
    uint64_t left, hits; /* combinations not yet tried; lanes of the last ones that hold and were not yet told */
    struct axis axes[GRID_LEAVES];
    struct residual literals[GRID_LITERALS];
    uint32_t ends[GRID_LITERALS]; /* where each literal's part of the cone ends */
    const uint64_t *columns[GRID_LITERALS];
};

int veer_grid_leaf(struct grid *grid, uint32_t leaf, uint64_t parent);
int veer_grid_literal(struct grid *grid, uint32_t literal, uint32_t want);
int veer_grid_make(struct grid *grid);
int veer_grid_next(struct grid *grid, uint8_t *input);
#endif
