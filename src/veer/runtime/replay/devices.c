/* Regions of registers in a replay: no object of the machine's own lies there that the unit would reach by such an address. */
#include <stdint.h>

#include "replay.h"
#include "veer_wire.h"

enum { REGIONS = 256 };
#define BEHIND_ADDRESSES (1ull << 32) /* no object of this process lies below, but for the range of the plain build */

static uint64_t bounds[2 * REGIONS];
static uint32_t region_count;

void veer_reserve_regions(const uint64_t *regions, uint32_t count) {
    region_count = count < REGIONS ? count : REGIONS;
    for (uint32_t k = 0; k < 2 * region_count; k++) bounds[k] = regions[k];
}

/* As often as in the recorded run. */
uint32_t veer_read_is_input(const char *root, uint32_t reads, uint32_t usual) {
    (void)usual;
    return veer_replay_has(root, reads);
}

uint64_t veer_device_at(const void *place, uint32_t is_computed) {
    uint64_t address = (uint64_t)(uintptr_t)place;
    for (uint32_t k = 0; k < region_count; k++)
        if (address >= bounds[2 * k] && address < bounds[2 * k + 1]) return address;
    int is_plain = address >= VEER_PLAIN_BEGIN && address < VEER_PLAIN_END;
    return is_computed && !is_plain && address < BEHIND_ADDRESSES ? address | VEER_COMPUTED_ADDRESS : 0;
}
