/* Flows: sets of input leaves. */
#ifndef VEER_FLOW_SETS_H
#define VEER_FLOW_SETS_H
#include <stdint.h>

uint32_t veer_flow_leaf(uint32_t leaf);
uint32_t veer_flow_unite(uint32_t left, uint32_t right, uint32_t kind, uint32_t site, uint64_t address);

static inline uint32_t veer_flow_join_sets(uint32_t left, uint32_t right, uint32_t kind, uint32_t site, uint64_t address) {
    if (right == 0 || left == right) return left;
    return left ? veer_flow_unite(left, right, kind, site, address) : right;
}
#endif
