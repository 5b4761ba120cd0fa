/* Regions of addresses where the program's machine has registers: no block of the unit's heap lies there. */
#include "regions.h"

#include "memory_map.h"
#include "veer_harness.h"
#include "veer_runtime.h"

void veer_reserve_regions(const uint64_t *regions, uint32_t count) {
    VEER_HOT->callee = 0;
    REGIONS->count = count < VEER_MAX_REGIONS ? count : VEER_MAX_REGIONS;
    for (uint32_t k = 0; k < REGIONS->count; k++) {
        REGIONS->of[k].begin = regions[2 * k];
        REGIONS->of[k].end = regions[2 * k + 1];
    }
}

/* Regions are in order: the last one that begins at or before the address is looked at. */
int veer_in_region(uint64_t address) {
    uint32_t low = 0, high = REGIONS->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (REGIONS->of[middle].begin <= address) low = middle + 1;
        else high = middle;
    }
    return low && address < REGIONS->of[low - 1].end;
}

/* The address, or the next one at which `size` bytes lie in no region. */
uint64_t veer_behind_regions(uint64_t address, uint64_t size, uint64_t alignment) {
    for (uint32_t k = 0; k < REGIONS->count; k++)
        if (address < REGIONS->of[k].end && address + size > REGIONS->of[k].begin)
            address = (REGIONS->of[k].end + VEER_REDZONE + alignment - 1) & ~(alignment - 1);
    return address;
}
