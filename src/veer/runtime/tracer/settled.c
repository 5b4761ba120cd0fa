/* Compositional runs: what the entry's own pointers lead to is decided before the call, and how long it is: strings, buffers, arrays;
   once a function that is summarised has used it (veer_refuse_object in declared.c).

       f(char *s)        s == NULL | s leads to 1 byte | 2 bytes | ...       GUARDs, so that none of them is a path of the program's own

   Functions that are summarised must know all that they may read at their entry (levels.c). Pointers within what these lead to stay
   open, as always, and a function that follows them is a part of its callers. */
#include "chunks.h"
#include "declared.h"
#include "elements.h"
#include "found.h"
#include "globals.h"
#include "growth.h"
#include "input_objects.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "objects.h"
#include "run.h"
#include "sites.h"
#include "undecided.h"
#include "veer_harness.h"
#include "veer_shared.h"
#include "waiting.h"
#include "words.h"

void veer_set_settled(void) { WAITING->settles = VEER_CONTROL->compositional != 0; }

/* Nothing of the object depends on a decision any more: its bytes are like those of an object of the program's own. */
static void make_plain(const struct veer_chunk *chunk) {
    uint32_t *words = veer_words(chunk->address);
    for (uint32_t k = 0; k < chunk->size; k++) {
        const struct veer_node *node = &VEER_NODES[words[k] & VEER_EXPRESSION_MASK];
        if (words[k] < VEER_FIRST_EXPRESSION) continue;
        if (words[k] == ELEMENTS->untouched) words[k] = VEER_SHADOW_CONCRETE;
        else if (node->op == VEER_OP_LEAF && LEAF_STATES[node->a].epoch == RUN->epoch) LEAF_STATES[node->a].object = 0;
    }
    veer_note_dirty(chunk->address, chunk->size);
}

/* Decides which elements there are, the first one first. */
static void settle(struct veer_input_object *object, uint32_t site) {
    int is_string = object->pointer->extent == VEER_EXTENT_STRING;
    uint32_t most = veer_maximum(object->pointer) + object->more + (is_string ? 1 : object->pointer->count);
    for (uint32_t k = object->known; k < most && k <= object->count; k++) veer_element_exists(object, k, VEER_KIND_GUARD, site);
    object->is_settled = 1;
    make_plain(&CHUNKS->of[object->chunk]);
}

/* The harness calls it when all roots are made. */
void veer_settle_roots(void) {
    uint32_t site = veer_here();
    if (!WAITING->settles) return;
    WAITING->settles = 0;
    DECLARATIONS->settled = VEER_CONTROL->declared_count;
    for (uint32_t k = 0; k < WAITING->count; k++) {
        uint32_t leaf = WAITING->leaves[k];
        if (LEAF_STATES[leaf].holder || !veer_must_settle(leaf)) continue;
        uint64_t address = veer_decide_pointer(leaf, site);
        struct veer_found found = address >= VEER_NULL_END && address < VEER_LOW_END ? veer_find_object(address) : (struct veer_found){0};
        if (found.region && found.input && veer_varies(found.input) && found.base == address) settle((struct veer_input_object *)found.input, site);
    }
}
