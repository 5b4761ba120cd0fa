/* Pointers to the end of what another pointer of the same struct leads to, or into it. */
#ifndef VEER_ENDS_H
#define VEER_ENDS_H
#include <stdint.h>

struct veer_place;
struct veer_type;

uint32_t veer_number_of_elements(uint32_t object, uint32_t offset, const struct veer_type *type);
void veer_make_end(uint64_t address, const struct veer_type *type, struct veer_place place);
int veer_is_end(uint32_t leaf);
uint32_t veer_counting_leaf(uint32_t pointer_leaf, const struct veer_type *pointer);
#endif
