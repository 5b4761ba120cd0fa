/* Pointers to the end of what another pointer of the same struct leads to, or into it. */
#ifndef VEER_ENDS_H
#define VEER_ENDS_H
#include "places.h"
#include "veer_harness.h"

struct veer_place;

void veer_make_end(uint64_t address, const struct veer_type *type, struct veer_place place);
int veer_is_end(uint32_t leaf);
uint64_t veer_resolve_end(uint32_t leaf, uint32_t *term, uint32_t site);
uint32_t veer_counting_leaf(uint32_t pointer_leaf, const struct veer_type *pointer);
#endif
