/* Objects of symbolic size: malloc, calloc, realloc and alloca of a number of bytes that depends on the input.

   In a run such an object has the size that the input says; the size's term stays. Its bytes are marked like those of inputs whose
   length varies: the first touch takes the slow path and decides (a CHECK) that the size reaches as far. So one path stands for all
   sizes that its accesses fit in, and the sizes that they do not fit in are aimed at.

   The addresses behind the object must not depend on the input: room is kept for the largest size of its class, and a GUARD tells
   the classes apart. */
#include "extents.h"

#include "engine/arena.h"
#include "events.h"
#include "refusals.h"
#include "veer_runtime.h"

static uint32_t literal(uint32_t op, uint32_t a, uint32_t b) { return a && b ? veer_expression(op, 1, a, b, 0) : 0; }

/* The class of a symbolic size: the first of the bounds (ascending, 0 = no more) that is not below it; 0 = it is above them all. */
uint64_t veer_size_class(uint32_t term, uint64_t size, const uint64_t *bounds, uint32_t site) {
    veer_refuse_levels(VEER_REFUSAL_EXTENT);
    for (; *bounds; bounds++) {
        int fits = size <= *bounds;
        veer_event(VEER_KIND_GUARD, literal(VEER_OP_ULE, term, veer_constant(64, *bounds)), (uint32_t)fits, site);
        if (fits) return *bounds;
    }
    return 0;
}

/* A record for an object of that size, index + 1; 0 = there are too many: the size is fixed. */
uint32_t veer_new_extent(uint32_t term, uint64_t size, uint32_t site) {
    if (EXTENTS->count >= VEER_MAX_EXTENTS) {
        veer_pin(term, size, 64, site);
        return 0;
    }
    EXTENTS->are_open = 1;
    EXTENTS->of[EXTENTS->count] = (struct veer_sized){.term = term, .size = size};
    return ++EXTENTS->count;
}

/* Decides that the object has at least `end` bytes. */
void veer_extent_reaches(struct veer_sized *extent, uint64_t end, uint32_t site) {
    veer_refuse_levels(VEER_REFUSAL_EXTENT);
    if (end <= extent->known) return;
    uint32_t holds = end <= extent->size;
    veer_event(VEER_KIND_CHECK, literal(VEER_OP_ULE, veer_constant(64, end), extent->term), holds, site);
    if (holds) extent->known = end;
}

/* Decides that `size` bytes at a symbolic offset lie within the object; returns whether they do. */
int veer_extent_holds(struct veer_sized *extent, uint32_t offset, uint64_t offset_value, uint64_t size, uint32_t site) {
    veer_extent_reaches(extent, size, site);
    if (size > extent->size) return 0;
    uint32_t last = extent->term, some = veer_constant(64, size);
    last = some ? veer_expression(VEER_OP_SUB, 64, last, some, 0) : 0;
    uint32_t holds = offset_value <= extent->size - size;
    veer_event(VEER_KIND_CHECK, literal(VEER_OP_ULE, offset, last), holds, site);
    return (int)holds;
}

void veer_extents_begin(void) {
    EXTENTS->are_open = 0;
    EXTENTS->count = 0;
}
