/* Pointer inputs that are still open, and their decision. */
#ifndef VEER_UNDECIDED_H
#define VEER_UNDECIDED_H
#include "sites.h"
#include "veer_shared.h"
#include "words.h"

struct veer_input_object;

uint64_t veer_decide_pointer(uint32_t leaf, uint32_t site);
uint32_t veer_load_pointer(uint64_t address, uint32_t site);
uint32_t veer_pointer_of(uint32_t shadow);
int veer_compare_pointers(uint32_t *sa, uint64_t a, uint32_t *sb, uint64_t b, uint32_t *equal);
int veer_plan_pointer(uint32_t leaf, int is_there, uint32_t site);
int veer_is_there(const struct veer_input_object *object);

/* veer_settle, whose answer is known at once for what is no pointer: nearly everything. */
static inline uint32_t veer_settle_here(uint32_t shadow) {
    return veer_symbolic(shadow) && VEER_NODES[shadow].width == 64 ? veer_settle(shadow, veer_here()) : shadow;
}
#endif
