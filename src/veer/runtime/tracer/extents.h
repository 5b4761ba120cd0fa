/* Objects of symbolic size. */
#ifndef VEER_EXTENTS_H
#define VEER_EXTENTS_H
#include "places.h"

#define VEER_MAX_EXTENTS 4096u /* objects of symbolic size in one run */

/* The size of an object, as a term of 64 bits. */
struct veer_sized {
    uint64_t size;  /* in this run */
    uint64_t known; /* decided to be at least this */
    uint32_t term;
    uint32_t spare;
};

struct veer_extents {
    uint32_t are_open; /* whether the run has an object, of whatever kind, of which it is open where it ends */
    uint32_t count;
    struct veer_sized of[VEER_MAX_EXTENTS];
};
VEER_STATE_FITS(extents);
#define EXTENTS VEER_STATE(extents)

void veer_extents_begin(void);
uint64_t veer_size_class(uint32_t term, uint64_t size, const uint64_t *bounds, uint32_t site);
uint32_t veer_new_extent(uint32_t term, uint64_t size, uint32_t site);
void veer_extent_reaches(struct veer_sized *extent, uint64_t end, uint32_t site);
int veer_extent_holds(struct veer_sized *extent, uint32_t offset, uint64_t offset_value, uint64_t size, uint32_t site);
#endif
