/* The flow of each byte of the unit's memory. */
#include "flow_map.h"

#include <string.h>

#include "flow_sets.h"
#include "flows.h"
#include "sites.h"
#include "veer_wire.h"

#define PAGE_BITS VEER_FLOW_PAGE_BITS
#define VEER_FLOW_SHADOW ((uint32_t *)(uintptr_t)VEER_FLOW_SHADOW_BASE)

/* Sets back what the last run left. */
void veer_flow_map_begin(void) {
    struct veer_flow_map *state = FLOW_MAP;
    for (uint32_t k = 0; k < state->page_count; k++) {
        memset(VEER_FLOW_SHADOW + ((uint64_t)state->pages[k] << PAGE_BITS), 0, sizeof(uint32_t) << PAGE_BITS);
        state->is_dirty[state->pages[k]] = 0;
    }
    state->page_count = 0;
    state->uninstrumented = 0;
}

static int is_clean(uint64_t address, uint64_t size) {
    for (uint64_t page = address >> PAGE_BITS; page <= (address + size - 1) >> PAGE_BITS; page++)
        if (FLOW_MAP->is_dirty[page]) return 0;
    return 1;
}

static void make_dirty(uint64_t address, uint64_t size) {
    struct veer_flow_map *state = FLOW_MAP;
    for (uint64_t page = address >> PAGE_BITS; page <= (address + size - 1) >> PAGE_BITS; page++) {
        if (state->is_dirty[page]) continue;
        state->is_dirty[page] = 1;
        state->pages[state->page_count++] = (uint32_t)page;
    }
}

/* The union of the flows of a range. */
uint32_t veer_flow_of(uint64_t address, uint64_t size, uint32_t kind, uint32_t site) {
    if (size == 0) return 0;
    if (!veer_is_units(address, size)) return FLOW_MAP->uninstrumented;
    if (is_clean(address, size)) return 0;
    const uint32_t *cells = VEER_FLOW_SHADOW + address;
    uint32_t result = cells[0];
    for (uint64_t k = 1; k < size; k++)
        if (cells[k] != cells[k - 1]) result = veer_flow_join_sets(result, cells[k], kind, site, address);
    return result;
}

/* The range has this flow from now on. Memory that is not the unit's has one flow, which only grows. */
void veer_flow_set(uint64_t address, uint64_t size, uint32_t flow) {
    if (size == 0) return;
    if (!veer_is_units(address, size)) {
        FLOW_MAP->uninstrumented = veer_flow_join_sets(FLOW_MAP->uninstrumented, flow, VEER_FLOWKIND_CALL, VEER_NONE, 0);
        return;
    }
    if (flow == 0 && is_clean(address, size)) return;
    make_dirty(address, size);
    for (uint64_t k = 0; k < size; k++) VEER_FLOW_SHADOW[address + k] = flow;
}

/* The flow is added to that of each byte of the range. */
void veer_flow_add(uint64_t address, uint64_t size, uint32_t flow, uint32_t kind, uint32_t site) {
    if (flow == 0 || size == 0) return;
    if (!veer_is_units(address, size)) {
        veer_flow_set(address, size, flow);
        return;
    }
    make_dirty(address, size);
    for (uint64_t k = 0; k < size; k++) {
        uint32_t *cell = &VEER_FLOW_SHADOW[address + k];
        *cell = veer_flow_join_sets(*cell, flow, kind, site, address);
    }
}

/* The same for the bytes of a mask, from an address that 8 divides. */
void veer_flow_add_masked(uint64_t address, uint32_t mask, uint32_t flow, uint32_t site) {
    if (!veer_is_units(address, 8)) return;
    make_dirty(address, 8);
    for (uint32_t *cell = &VEER_FLOW_SHADOW[address]; mask; mask >>= 1, cell++)
        if (mask & 1 && *cell != flow) *cell = veer_flow_join_sets(*cell, flow, VEER_FLOWKIND_JOIN, site, address);
}

/* A copy of bytes with their flows. */
void veer_flow_kept(uint64_t to, uint64_t from, uint64_t size) {
    if (size == 0) return;
    if (!veer_is_units(to, size) || !veer_is_units(from, size)) {
        veer_flow_set(to, size, veer_flow_of(from, size, VEER_FLOWKIND_LOAD, veer_here()));
        return;
    }
    if (is_clean(to, size) && is_clean(from, size)) return;
    make_dirty(to, size);
    memmove(VEER_FLOW_SHADOW + to, VEER_FLOW_SHADOW + from, size * sizeof(uint32_t));
}

/* A pointer input was decided: where its object lies depends on what was allocated before. */
void veer_flow_pointer(uint64_t address) {
    veer_flow_add(address, 8, veer_flow_of(VEER_FLOW_HEAP, 1, VEER_FLOWKIND_LOAD, veer_here()), VEER_FLOWKIND_STORE, veer_here());
}
