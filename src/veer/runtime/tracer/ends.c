/* Pointers to the end of what another pointer of the same struct leads to, or into it (docs/decisions/0539).

       struct reader { const char *cur, *end; }        end is cur + n
       struct reader { const char *begin, *p, *end; }  p is begin + k, and k at most n

   Such a pointer is the number of elements, a leaf in its place. Memory holds 0 and the shadow the leaf, as of a pointer that is not
   decided, until it is first looked at (end_addresses.c). */
#include "ends.h"

#include <string.h>

#include "engine/arena.h"
#include "engine/leaves.h"
#include "globals.h"
#include "growth.h"
#include "input_leaves.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "run.h"
#include "words.h"

enum { BYTES = 8 };

/* The leaf of a number of elements at that offset of an object. */
uint32_t veer_number_of_elements(uint32_t object, uint32_t offset, const struct veer_type *type) {
    uint32_t leaf = veer_intern_leaf(object, offset, 64, VEER_LEAFKIND_UNSIGNED, 0, veer_maximum(type));
    if (leaf != VEER_NONE) VEER_LEAVES[leaf].flags = (uint16_t)type->bound;
    return leaf;
}

/* The leaf that says how many elements there are behind a pointer whose end is a member beside it. */
uint32_t veer_counting_leaf(uint32_t pointer_leaf, const struct veer_type *pointer) {
    const struct veer_leaf *record = &VEER_LEAVES[pointer_leaf];
    uint32_t leaf = veer_number_of_elements(record->object, record->offset + (uint32_t)pointer->high, pointer);
    if (leaf == VEER_NONE) return leaf;
    veer_leaf_input(leaf, 0);
    veer_record_leaf(leaf);
    return leaf;
}

void veer_make_end(uint64_t address, const struct veer_type *type, struct veer_place place) {
    uint32_t leaf = veer_number_of_elements(place.object, place.offset, type), expression = leaf == VEER_NONE ? 0 : veer_leaf_expression(leaf);
    memset((void *)(uintptr_t)address, 0, BYTES);
    if (!veer_symbolic(expression) || address >= VEER_LOW_END) return;
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    state->type = type;
    state->type_epoch = RUN->epoch;
    state->object = INPUT_LEAVES->making;
    veer_note_dirty(address, BYTES);
    for (uint32_t k = 0; k < BYTES; k++) veer_words(address)[k] = k << VEER_FRAGMENT_SHIFT | expression;
}

int veer_is_end(uint32_t leaf) {
    const struct veer_leaf_state *state = &LEAF_STATES[leaf];
    return VEER_LEAVES[leaf].kind == VEER_LEAFKIND_UNSIGNED && state->type_epoch == RUN->epoch && state->type &&
           state->type->extent == VEER_EXTENT_END;
}
