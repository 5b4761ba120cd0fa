/* Whether a range of memory may be accessed, and what its first touch decides. */
#ifndef VEER_BOUNDS_H
#define VEER_BOUNDS_H
#include "places.h"

/* The last access of instrumented code outside of the unit's memory. */
struct veer_bounds {
    uint32_t foreign_site, foreign_depth;
};
VEER_STATE_FITS(bounds);
#define BOUNDS VEER_STATE(bounds)

void veer_bounds_begin(void);
void veer_require(uint64_t address, uint64_t size, int is_store, uint32_t site);
void veer_decide_range(uint64_t address, uint64_t size, uint32_t site);
void veer_touch_range(uint64_t address, uint64_t size, uint32_t site);
int veer_is_undecided(uint64_t address, uint64_t size);
#endif
