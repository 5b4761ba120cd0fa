/* Regions of addresses where the program's machine has registers: no block of the unit's heap lies there. */
#ifndef VEER_REGIONS_H
#define VEER_REGIONS_H
#include "places.h"

#define VEER_MAX_REGIONS 256u

struct veer_regions {
    uint32_t count;
    struct {
        uint64_t begin, end;
    } of[VEER_MAX_REGIONS]; /* in order, apart from each other */
};
VEER_STATE_FITS(regions);
#define REGIONS VEER_STATE(regions)

int veer_in_region(uint64_t address);
uint64_t veer_behind_regions(uint64_t address, uint64_t size, uint64_t alignment);
#endif
