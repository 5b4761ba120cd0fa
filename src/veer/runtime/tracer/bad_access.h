/* Accesses that are bugs: each ends the run. */
#ifndef VEER_BAD_ACCESS_H
#define VEER_BAD_ACCESS_H
#include <stdint.h>

struct veer_found;

_Noreturn void veer_bad_access(uint64_t address, uint64_t size, int is_store, uint32_t site);
_Noreturn void veer_outside(uint64_t address, uint64_t size, int is_store, uint32_t site);
_Noreturn void veer_left_object(const struct veer_found *origin, uint64_t address, uint64_t size, int is_store, uint32_t site);
_Noreturn void veer_wild(uint64_t address, uint64_t size, int is_store, uint32_t site);
#endif
