/* Leaves, objects and names, interned for the campaign; NONE = full. */
#ifndef ENGINE_LEAVES_H
#define ENGINE_LEAVES_H
#include "veer_wire.h"

struct spans;

uint32_t veer_intern_name(const char *name); /* its offset in `names` */
int veer_knows_name(const char *name); /* whether some run has interned it */
uint32_t veer_intern_object(uint32_t via, const char *name, uint32_t occurrence, uint32_t type);
uint32_t veer_intern_leaf(uint32_t object, uint32_t offset, uint32_t width, uint32_t kind, uint64_t minimum,
                          uint64_t maximum);
uint32_t veer_leaf_before(uint32_t leaf); /* the one of the same kind right before it in its object, NONE for none */
uint64_t veer_leaf_clamp(const struct veer_leaf *leaf, uint64_t value); /* as near as its bounds let it be */
void veer_leaf_bounds(uint32_t leaf, struct spans *bounds);
void veer_leaves_attach(void);
#endif
