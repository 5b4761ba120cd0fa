/* The flow of each byte of the unit's memory. */
#ifndef VEER_FLOW_MAP_H
#define VEER_FLOW_MAP_H
#include "memory_map.h"
#include "places.h"

#define VEER_FLOW_PAGE_BITS 8
#define VEER_FLOW_PAGES (1u << (31 - VEER_FLOW_PAGE_BITS)) /* of the unit's memory */

struct veer_flow_map {
    uint32_t uninstrumented; /* of all memory that is not the unit's */
    uint32_t page_count;
    uint32_t pages[VEER_FLOW_PAGES];
    uint8_t is_dirty[VEER_FLOW_PAGES];
};
VEER_FLOW_STATE_FITS(flow_map);
#define FLOW_MAP VEER_FLOW_STATE(flow_map)

static inline int veer_is_units(uint64_t address, uint64_t size) { return address < VEER_LOW_END && size <= VEER_LOW_END - address; }

void veer_flow_map_begin(void);
uint32_t veer_flow_of(uint64_t address, uint64_t size, uint32_t kind, uint32_t site);
void veer_flow_set(uint64_t address, uint64_t size, uint32_t flow);
void veer_flow_add(uint64_t address, uint64_t size, uint32_t flow, uint32_t kind, uint32_t site);
void veer_flow_add_masked(uint64_t address, uint32_t mask, uint32_t flow, uint32_t site);
void veer_flow_kept(uint64_t to, uint64_t from, uint64_t size);
void veer_flow_pointer(uint64_t address);
#endif
