/* Flow by data: values and memory (FlowTest, algorithm 3). */
#include "engine/hash.h"
#include "flow_control.h"
#include "flow_facts.h"
#include "flow_map.h"
#include "flow_models.h"
#include "flow_sets.h"
#include "flow_writes.h"
#include "found.h"
#include "memory_map.h"
#include "objects.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

uint32_t veer_flow_union(uint32_t left, uint32_t right, uint32_t kind, uint32_t site) {
    return veer_flow_join_sets(left, right, kind, site, 0);
}

static int is_term(uint32_t shadow) { return veer_symbolic(shadow) && VEER_NODES[shadow].op != VEER_OP_CONST; }

/* The whole object around an address, which a term over inputs may reach; else the bytes themselves. */
static struct veer_range reach(uint64_t address, uint32_t size, uint32_t shadow) {
    struct veer_range range = {(uint32_t)address, (uint32_t)(address + size)};
    struct veer_found found = is_term(shadow) ? veer_find_object(address) : (struct veer_found){0};
    if (found.region && address >= found.base && address + size <= found.base + found.size)
        range = (struct veer_range){(uint32_t)found.base, (uint32_t)(found.base + found.size)};
    return range;
}

uint32_t veer_flow_load(uint64_t address, uint32_t size, uint32_t where, uint32_t shadow, uint32_t site) {
    if (VEER_CONTROL->flow_frees) veer_flow_used(address, site);
    uint32_t result = veer_flow_of(address, size, VEER_FLOWKIND_LOAD, site);
    if (!where) return result;
    if (address + size <= VEER_LOW_END) {
        struct veer_range range = reach(address, size, shadow);
        result = veer_flow_of(range.begin, range.end - range.begin, VEER_FLOWKIND_LOAD, site);
    }
    return veer_flow_join_sets(result, where, VEER_FLOWKIND_LOAD, site, address);
}

/* A write to an address that inputs decide: with others it is another cell, of those that runs have written here, or of the object. */
static void scattered(uint64_t address, uint32_t size, uint32_t flow, uint32_t where, uint32_t shadow, uint32_t site, uint64_t key) {
    struct veer_range range = reach(address, size, shadow);
    veer_fact_add(key, address, size);
    veer_fact_apply(key, where, 0, site);
    if (range.end - range.begin == size) return;
    veer_flow_add(range.begin, range.end - range.begin, flow, VEER_FLOWKIND_STORE, site);
    veer_flow_written(range.begin, range.end - range.begin);
}

void veer_flow_store(uint64_t address, uint32_t size, uint32_t value, uint32_t where, uint32_t shadow, uint32_t site, uint64_t iteration) {
    if (VEER_CONTROL->flow_frees) veer_flow_used(address, site);
    uint32_t flow = veer_flow_join_sets(value, where, VEER_FLOWKIND_STORE, site, address);
    flow = veer_flow_join_sets(flow, veer_flow_total(), VEER_FLOWKIND_STORE, site, address);
    veer_flow_set(address, size, flow);
    if (address + size > VEER_LOW_END) return;
    veer_flow_written(address, size);
    if (!where) return;
    uint64_t place = mix(FLOW_CONTROL->frames[FLOW_CONTROL->depth], site);
    scattered(address, size, flow, where, shadow, site, mix(mix(place, iteration), 2));
}
