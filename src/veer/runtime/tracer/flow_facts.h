/* The bytes that any run wrote before a join of branches. */
#ifndef VEER_FLOW_FACTS_H
#define VEER_FLOW_FACTS_H
#include <stdint.h>

void veer_fact_add(uint64_t key, uint64_t address, uint64_t size);
void veer_fact_apply(uint64_t key, uint32_t flow, uint64_t outer, uint32_t site);
int veer_fact_has(uint64_t key, uint64_t address);
#endif
