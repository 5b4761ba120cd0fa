/* Symbolic addresses. */
#ifndef VEER_RESOLVE_H
#define VEER_RESOLVE_H
#include <stdint.h>

struct veer_cells;

int veer_locate(uint64_t address, uint32_t shadow, uint64_t size, int is_store, uint32_t site, struct veer_cells *cells);
/* Whether a term is the place of an object and something that is an input: `p->base + p->used`. */
int veer_starts_from_object(uint32_t shadow);
uint64_t veer_start(uint64_t address, uint32_t shadow, uint32_t site);
uint64_t veer_resolve(uint64_t address, uint32_t shadow, uint64_t size, int is_store, uint32_t site);
#endif
