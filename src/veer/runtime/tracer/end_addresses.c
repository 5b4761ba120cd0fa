/* A pointer to the end of something, or into it, is looked at: the pointer that it is counted from is decided, and it is an address and
   a term from then on (ends.c). */
#include "end_addresses.h"

#include "endings.h"
#include "ends.h"
#include "engine/arena.h"
#include "engine/leaves.h"
#include "events.h"
#include "input_leaves.h"
#include "leaf_state.h"
#include "run.h"
#include "undecided.h"
#include "veer_harness.h"
#include "veer_shared.h"

/* What leads into a buffer does not lead beyond its end. */
static void stay_within(uint32_t leaf, const struct veer_type *type, uint64_t number, uint32_t site) {
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint32_t last = veer_number_of_elements(record->object, record->offset + (uint32_t)type->high, type);
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
