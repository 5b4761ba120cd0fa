/* Bounds of the inputs: how far they have grown since the harness was built, and that a run came to one of them.

       met         another bound might have given this run, or one that goes on from it, another path
       not met     no run of the campaign depends on where that bound lies: what is claimed holds without it */
#ifndef VEER_GROWTH_H
#define VEER_GROWTH_H
#include "veer_harness.h"
#include "veer_shared.h"

/* A number of that bound after all its doublings. */
static inline uint64_t veer_grown(uint32_t bound, uint64_t number) {
    return number << (VEER_CONTROL->doublings >> (4 * bound) & 15);
}

/* Most elements behind a pointer. */
static inline uint32_t veer_maximum(const struct veer_type *pointer) { return (uint32_t)veer_grown(pointer->bound, pointer->maximum); }

/* Runs of the search count: those behind it, which are recorded, try other values on paths that are known. */
static inline void veer_meet_bound(uint32_t bound) {
    if (!VEER_CONTROL->record) VEER_CONTROL->met_bounds |= 1u << bound;
}
#endif
