/* Writes under controlling branches. */
#ifndef VEER_FLOW_WRITES_H
#define VEER_FLOW_WRITES_H
#include <stdint.h>

void veer_flow_written(uint64_t address, uint64_t size);
uint32_t veer_flow_touch_state(uint64_t cell, uint32_t flow, uint32_t site);
#endif
