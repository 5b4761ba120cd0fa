/* Writes under controlling branches. */
#include "flow_writes.h"

#include "flow_control.h"
#include "flow_facts.h"
#include "flow_map.h"
#include "flow_sets.h"
#include "veer_wire.h"

/* A write under controlling branches: known to their innermost join in all runs to come, which tells the others. */
void veer_flow_written(uint64_t address, uint64_t size) {
    const struct veer_flow_control *state = FLOW_CONTROL;
    if (state->top && veer_is_units(address, size)) veer_fact_add(state->controllers[state->top - 1].key, address, size);
}

/* The allocator (or another cell of no variable) was used: it is written like a variable, and what it gives depends on it. */
uint32_t veer_flow_touch_state(uint64_t cell, uint32_t flow, uint32_t site) {
    uint32_t total = veer_flow_total();
    veer_flow_add(cell, 1, veer_flow_join_sets(flow, total, VEER_FLOWKIND_STORE, site, 0), VEER_FLOWKIND_STORE, site);
    veer_flow_written(cell, 1);
    return veer_flow_of(cell, 1, VEER_FLOWKIND_LOAD, site);
}
