/* What the runtime's own functions do with flows. */
#ifndef VEER_FLOW_MODELS_H
#define VEER_FLOW_MODELS_H
#include <stdint.h>

void veer_flow_moved(const void *self, uint64_t to, uint64_t from, uint64_t size);
void veer_flow_filled(const void *self, uint64_t to, uint64_t size);
void veer_flow_input(uint64_t address, uint64_t size);
void veer_flow_allocated(const void *self, uint32_t arguments);
uint32_t veer_flow_read_text(const void *self, const char *text);
void veer_flow_used(uint64_t address, uint32_t site);
void veer_flow_freed(uint64_t address, uint64_t size, uint32_t site);
uint32_t veer_flow_argument(const void *self, uint32_t index);
void veer_flow_return(const void *self, uint32_t flow);
#endif
