/* Pointers to the end of what another pointer of the same struct leads to, or into it (docs/decisions/0539).

       struct reader { const char *cur, *end; }        end is cur + n
       struct reader { const char *begin, *p, *end; }  p is begin + k, and k at most n

   Such a pointer is the number of elements, a leaf in its place. Memory holds 0 and the shadow the leaf, as of a pointer that is not
   decided, until it is first looked at: then the pointer that it is counted from is decided, and it is an address and a term. */
#include "ends.h"

#include <string.h>

#include "endings.h"
#include "engine/arena.h"
#include "engine/leaves.h"
#include "events.h"
#include "growth.h"
#include "input_leaves.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "run.h"
#include "undecided.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

enum { BYTES = 8 };

/* The leaf of a number of elements at that offset of an object. */
static uint32_t number_at(uint32_t object, uint32_t offset, const struct veer_type *type) {
    uint32_t leaf = veer_intern_leaf(object, offset, 64, VEER_LEAFKIND_UNSIGNED, 0, veer_maximum(type));
    if (leaf != VEER_NONE) VEER_LEAVES[leaf].flags = (uint16_t)type->bound;
    return leaf;
}

/* The leaf that says how many elements there are behind a pointer whose end is a member beside it. */
uint32_t veer_counting_leaf(uint32_t pointer_leaf, const struct veer_type *pointer) {
    const struct veer_leaf *record = &VEER_LEAVES[pointer_leaf];
    uint32_t leaf = number_at(record->object, record->offset + (uint32_t)pointer->high, pointer);
    if (leaf == VEER_NONE) return leaf;
    veer_leaf_input(leaf, 0);
    veer_record_leaf(leaf);
    return leaf;
}

void veer_make_end(uint64_t address, const struct veer_type *type, struct veer_place place) {
    uint32_t leaf = number_at(place.object, place.offset, type), expression = leaf == VEER_NONE ? 0 : veer_leaf_expression(leaf);
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

/* What leads into a buffer does not lead beyond its end. */
static void stay_within(uint32_t leaf, const struct veer_type *type, uint64_t number, uint32_t site) {
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint32_t last = number_at(record->object, record->offset + (uint32_t)type->high, type);
    if (last == VEER_NONE) return;
    uint64_t most = veer_leaf_input(last, 0);
    veer_record_leaf(last);
    uint32_t one = veer_leaf_expression(leaf), other = veer_leaf_expression(last);
    uint32_t literal = one && other ? veer_expression(VEER_OP_ULE, 1, one, other, 0) : 0;
    veer_event(VEER_KIND_ASSUME, literal, number <= most, site);
    if (number > most) veer_finish(VEER_OUTCOME_ASSUMPTION);
}

/* The address, and its term: 0 where it depends on no input any more. */
uint64_t veer_resolve_end(uint32_t leaf, uint32_t *term, uint32_t site) {
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    const struct veer_type *type = LEAF_STATES[leaf].type;
    uint32_t start = veer_intern_leaf(record->object, record->offset + (uint32_t)type->low, 64, VEER_LEAFKIND_CHOICE, 0, VEER_MOST_CHOICES);
    *term = 0;
    LEAF_STATES[leaf].loaded_epoch = RUN->epoch;
    uint64_t base = start == VEER_NONE ? 0 : veer_decide_pointer(start, site), number = veer_leaf_input(leaf, 0);
    veer_record_leaf(leaf);
    uint64_t size = type->target && type->target->size ? type->target->size : 1;
    LEAF_STATES[leaf].pointer = base ? base + number * size : 0;
    if (!base) return 0;
    if (type->high) stay_within(leaf, type, number, site);
    uint32_t count = veer_leaf_expression(leaf), scale = veer_constant(64, size), address = veer_constant(64, base);
    uint32_t bytes = count && scale ? veer_expression(VEER_OP_MUL, 64, count, scale, 0) : 0;
    if (!VEER_CONTROL->is_concrete && bytes && address) *term = veer_expression(VEER_OP_ADD, 64, bytes, address, 0);
    return LEAF_STATES[leaf].pointer;
}
