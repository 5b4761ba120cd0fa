/* The flow of each byte of the unit's memory, and what the runtime's own functions do with it. */
#include <string.h>

#include "flows.h"

#define PAGE_BITS VEER_FLOW_PAGE_BITS

/* Sets back what the last run left. */
void veer_flow_begin(void) {
    struct veer_flow_state *state = VEER_FLOW_STATE;
    for (uint32_t k = 0; k < state->page_count; k++) {
        memset(VEER_FLOW_SHADOW + ((uint64_t)state->pages[k] << PAGE_BITS), 0, sizeof(uint32_t) << PAGE_BITS);
        state->is_dirty[state->pages[k]] = 0;
    }
    state->page_count = 0;
    state->depth = 0;
    state->top = 0;
    state->noted = 0;
    state->foreign = 0;
    state->external = 0;
    state->call_key = 0;
    VEER_FLOWS->callee = 0;
    VEER_FLOWS->returner = 0;
}

static int is_clean(uint64_t address, uint64_t size) {
    for (uint64_t page = address >> PAGE_BITS; page <= (address + size - 1) >> PAGE_BITS; page++)
        if (VEER_FLOW_STATE->is_dirty[page]) return 0;
    return 1;
}

static void make_dirty(uint64_t address, uint64_t size) {
    struct veer_flow_state *state = VEER_FLOW_STATE;
    for (uint64_t page = address >> PAGE_BITS; page <= (address + size - 1) >> PAGE_BITS; page++) {
        if (state->is_dirty[page]) continue;
        state->is_dirty[page] = 1;
        state->pages[state->page_count++] = (uint32_t)page;
    }
}

static int is_units(uint64_t address, uint64_t size) { return address < VEER_LOW_END && size <= VEER_LOW_END - address; }

/* The union of the flows of a range. */
uint32_t veer_flow_of(uint64_t address, uint64_t size, uint32_t kind, uint32_t site) {
    if (size == 0) return 0;
    if (!is_units(address, size)) return VEER_FLOW_STATE->foreign;
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
    if (!is_units(address, size)) {
        VEER_FLOW_STATE->foreign = veer_flow_join_sets(VEER_FLOW_STATE->foreign, flow, VEER_FLOWKIND_CALL, VEER_NONE, 0);
        return;
    }
    if (flow == 0 && is_clean(address, size)) return;
    make_dirty(address, size);
    for (uint64_t k = 0; k < size; k++) VEER_FLOW_SHADOW[address + k] = flow;
}

/* The flow is added to that of each byte of the range. */
void veer_flow_add(uint64_t address, uint64_t size, uint32_t flow, uint32_t kind, uint32_t site) {
    if (flow == 0 || size == 0) return;
    if (!is_units(address, size)) {
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
    if (!is_units(address, 8)) return;
    make_dirty(address, 8);
    for (uint32_t *cell = &VEER_FLOW_SHADOW[address]; mask; mask >>= 1, cell++)
        if (mask & 1 && *cell != flow) *cell = veer_flow_join_sets(*cell, flow, VEER_FLOWKIND_JOIN, site, address);
}

/* A write under controlling branches: known to their innermost join in all runs to come, which tells the others. */
void veer_flow_written(uint64_t address, uint64_t size) {
    const struct veer_flow_state *state = VEER_FLOW_STATE;
    if (state->top && is_units(address, size)) veer_fact_add(state->controllers[state->top - 1].key, address, size);
}

/* The allocator (or another cell of no variable) was used: it is written like a variable, and what it gives depends on it. */
uint32_t veer_flow_touch_state(uint64_t cell, uint32_t flow, uint32_t site) {
    uint32_t total = veer_flow_total();
    veer_flow_add(cell, 1, veer_flow_join_sets(flow, total, VEER_FLOWKIND_STORE, site, 0), VEER_FLOWKIND_STORE, site);
    veer_flow_written(cell, 1);
    return veer_flow_of(cell, 1, VEER_FLOWKIND_LOAD, site);
}

/* A copy of bytes with their flows. */
void veer_flow_kept(uint64_t to, uint64_t from, uint64_t size) {
    if (size == 0) return;
    if (!is_units(to, size) || !is_units(from, size)) {
        veer_flow_set(to, size, veer_flow_of(from, size, VEER_FLOWKIND_LOAD, veer_here()));
        return;
    }
    if (is_clean(to, size) && is_clean(from, size)) return;
    make_dirty(to, size);
    memmove(VEER_FLOW_SHADOW + to, VEER_FLOW_SHADOW + from, size * sizeof(uint32_t));
}

uint32_t veer_flow_argument(const void *self, uint32_t index) {
    return VEER_FLOWS->callee == (uint64_t)(uintptr_t)self ? VEER_FLOWS->arguments[index] : 0;
}

void veer_flow_return(const void *self, uint32_t flow) {
    VEER_FLOWS->returner = (uint64_t)(uintptr_t)self;
    VEER_FLOWS->returned = flow;
}

/* What such an operation adds to all that it writes: where, from where, how much, and under which branches. How far it wrote in other
   runs depends on the same, so these bytes are kept under its place like the cells of a branch. */
static void written_by(const void *self, uint64_t to, uint64_t size, uint32_t also) {
    uint32_t site = veer_here(), steers = also;
    int is_called = VEER_FLOWS->callee == (uint64_t)(uintptr_t)self;
    if (is_called && self != (const void *)veer_memset)
        steers = veer_flow_join_sets(steers, VEER_FLOWS->arguments[1], VEER_FLOWKIND_STORE, site, to);
    for (uint32_t k = 0; is_called && k < 3; k += 2) steers = veer_flow_join_sets(steers, VEER_FLOWS->arguments[k], VEER_FLOWKIND_STORE, site, to);
    veer_flow_add(to, size, veer_flow_join_sets(steers, veer_flow_total(), VEER_FLOWKIND_STORE, site, to), VEER_FLOWKIND_STORE, site);
    veer_flow_written(to, size);
    if (steers && is_units(to, size)) {
        uint64_t key = veer_flow_mix(VEER_FLOW_STATE->call_key, 3);
        veer_fact_add(key, to, size);
        veer_fact_apply(key, steers, 0, site);
    }
    veer_flow_return(self, veer_flow_argument(self, 0));
    VEER_FLOWS->callee = 0;
}

/* memcpy and memmove have copied. */
void veer_flow_moved(const void *self, uint64_t to, uint64_t from, uint64_t size) {
    veer_flow_kept(to, from, size);
    written_by(self, to, size, 0);
}

/* memset has written. */
void veer_flow_filled(const void *self, uint64_t to, uint64_t size) {
    veer_flow_set(to, size, veer_flow_argument(self, 1));
    written_by(self, to, size, 0);
}

/* An allocation: its arguments, and what controls it, decide where all later blocks lie, its own first of all. */
void veer_flow_allocated(const void *self) {
    uint32_t site = veer_here(), first = veer_flow_argument(self, 0), second = veer_flow_argument(self, 1);
    uint32_t flow = self == (const void *)veer_malloc ? first : veer_flow_join_sets(first, second, VEER_FLOWKIND_VALUE, site, 0);
    VEER_FLOW_STATE->noted = flow;
    veer_flow_return(self, veer_flow_touch_state(VEER_FLOW_HEAP, flow, site));
    VEER_FLOWS->callee = 0;
}

#define FREED 7u /* the key of what inputs decide to free */

/* Bytes are used: where inputs may have freed them, these decide whether that ends the run. */
void veer_flow_used(uint64_t address, uint32_t site) {
    if (address < VEER_LOW_END && veer_fact_has(FREED, address)) veer_flow_test(veer_flow_of(address, 1, VEER_FLOWKIND_LOAD, site), site);
}

/* A block is freed: whether it may still be used is written like its bytes. `noted` is the flow of the pointer. */
void veer_flow_freed(uint64_t address, uint64_t size, uint32_t site) {
    uint32_t flow = veer_flow_join_sets(VEER_FLOW_STATE->noted, veer_flow_total(), VEER_FLOWKIND_STORE, site, address);
    veer_flow_used(address, site);
    if (flow) veer_fact_add(FREED, address, size);
    VEER_CONTROL->flow_frees |= flow != 0;
    veer_flow_add(address, size, flow, VEER_FLOWKIND_STORE, site);
    veer_flow_written(address, size);
}

/* A pointer input was decided: where its object lies depends on what was allocated before. */
void veer_flow_pointer(uint64_t address) {
    veer_flow_add(address, 8, veer_flow_of(VEER_FLOW_HEAP, 1, VEER_FLOWKIND_LOAD, veer_here()), VEER_FLOWKIND_STORE, veer_here());
}

/* A function of the runtime looks at text: its result depends on that, and on its arguments. */
uint32_t veer_flow_read_text(const void *self, const char *text) {
    enum { MOST = 512 };
    uint64_t address = (uint64_t)(uintptr_t)text;
    struct veer_found found = address < VEER_LOW_END ? veer_find_object(address) : (struct veer_found){0};
    uint64_t room = found.region && address >= found.base ? found.base + found.size - address : 1;
    uint32_t site = veer_here(), flow = veer_flow_of(address, room < MOST ? room : MOST, VEER_FLOWKIND_LOAD, site);
    for (uint32_t k = 0; k < 3; k++) flow = veer_flow_join_sets(flow, veer_flow_argument(self, k), VEER_FLOWKIND_CALL, site, address);
    veer_flow_test(flow, site);
    veer_flow_return(self, flow);
    VEER_FLOWS->callee = 0;
    return flow;
}

/* The program has asked for inputs: which ones these are depends on how many it asked for before. */
void veer_flow_input(uint64_t address, uint64_t size) {
    uint32_t site = veer_here();
    veer_flow_add(address, size, veer_flow_touch_state(VEER_FLOW_INPUT, 0, site), VEER_FLOWKIND_STORE, site);
    veer_flow_written(address, size);
    VEER_FLOWS->callee = 0;
}
