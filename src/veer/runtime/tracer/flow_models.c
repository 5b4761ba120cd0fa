/* What the runtime's own functions do with flows. */
#include "flow_models.h"

#include "engine/hash.h"
#include "flow_control.h"
#include "flow_facts.h"
#include "flow_map.h"
#include "flow_sets.h"
#include "flow_writes.h"
#include "flows.h"
#include "found.h"
#include "memory_map.h"
#include "objects.h"
#include "sites.h"
#include "veer_runtime.h"
#include "veer_shared.h"

uint32_t veer_flow_argument(const void *self, uint32_t index) {
    return VEER_FLOWS->callee == (uint64_t)(uintptr_t)self ? VEER_FLOWS->arguments[index] : 0;
}

void veer_flow_return(const void *self, uint32_t flow) {
    VEER_FLOWS->returner = (uint64_t)(uintptr_t)self;
    VEER_FLOWS->returned = flow;
}

/* What such an operation adds to all that it writes: where, from where, how much, and under which branches. How far it wrote in other
   runs depends on the same, so these bytes are kept under its place like the cells of a branch. */
static void written_by(const void *self, uint64_t to, uint64_t size, int has_source) {
    uint32_t site = veer_here(), steers = 0;
    int is_called = VEER_FLOWS->callee == (uint64_t)(uintptr_t)self;
    if (is_called && has_source)
        steers = veer_flow_join_sets(steers, VEER_FLOWS->arguments[1], VEER_FLOWKIND_STORE, site, to);
    for (uint32_t k = 0; is_called && k < 3; k += 2) steers = veer_flow_join_sets(steers, VEER_FLOWS->arguments[k], VEER_FLOWKIND_STORE, site, to);
    veer_flow_add(to, size, veer_flow_join_sets(steers, veer_flow_total(), VEER_FLOWKIND_STORE, site, to), VEER_FLOWKIND_STORE, site);
    veer_flow_written(to, size);
    if (steers && veer_is_units(to, size)) {
        uint64_t key = mix(FLOW_CONTROL->call_key, 3);
        veer_fact_add(key, to, size);
        veer_fact_apply(key, steers, 0, site);
    }
    veer_flow_return(self, veer_flow_argument(self, 0));
    VEER_FLOWS->callee = 0;
}

/* memcpy and memmove have copied. */
void veer_flow_moved(const void *self, uint64_t to, uint64_t from, uint64_t size) {
    veer_flow_kept(to, from, size);
    written_by(self, to, size, 1);
}

/* memset has written. */
void veer_flow_filled(const void *self, uint64_t to, uint64_t size) {
    veer_flow_set(to, size, veer_flow_argument(self, 1));
    written_by(self, to, size, 0);
}

/* An allocation: its arguments, and what controls it, decide where all later blocks lie, its own first of all. */
void veer_flow_allocated(const void *self, uint32_t arguments) {
    uint32_t site = veer_here(), first = veer_flow_argument(self, 0), second = veer_flow_argument(self, 1);
    uint32_t flow = arguments < 2 ? first : veer_flow_join_sets(first, second, VEER_FLOWKIND_VALUE, site, 0);
    FLOW_CONTROL->noted = flow;
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
    uint32_t flow = veer_flow_join_sets(FLOW_CONTROL->noted, veer_flow_total(), VEER_FLOWKIND_STORE, site, address);
    veer_flow_used(address, site);
    if (flow) veer_fact_add(FREED, address, size);
    VEER_CONTROL->flow_frees |= flow != 0;
    veer_flow_add(address, size, flow, VEER_FLOWKIND_STORE, site);
    veer_flow_written(address, size);
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
