/* Eager initialisation, CUTE's way (section 3.4, figure 4): the whole memory graph is input before the entry is called.

       f(struct node *p, struct node *q)     p   q   p->next   q->next   p->next->next ...     each fixed up to the bound of depth

   Pointers stay open as they are when they are first loaded (undecided.c), but all that the bound allows are planned first, breadth
   first, and objects are filled as soon as the run's input has them. An alternative must mean the same in every run: so pointers
   within objects that this run does not have are planned as well, and may be meant by later ones; that they are there implies that
   what holds them is (exists_literal). One more run tells apart what a program that never looks could not: the paths are the same.

   Strings, buffers, pointers to functions, and pointers within arrays are made when they are met, as always, and so is what
   initialisers of the user's make. */
#include <string.h>

#include "engine/leaves.h"
#include "input_objects.h"
#include "leaf_state.h"
#include "run.h"
#include "sites.h"
#include "undecided.h"
#include "veer_harness.h"
#include "veer_shared.h"
#include "waiting.h"

void veer_set_eager(void) { WAITING->is_eager = 1; }

/* Lists the pointers within an object that is not part of this run's graph, in the order in which veer_make_value makes them. */
static void wait_within(const struct veer_type *type, struct veer_place place) {
    struct veer_place inner = place;
    if (type->kind == VEER_TYPE_POINTER && type->extent == VEER_EXTENT_END) return; /* a number (ends.c) */
    if (type->kind == VEER_TYPE_POINTER) {
        uint32_t leaf = veer_intern_leaf(place.object, place.offset, 64, VEER_LEAFKIND_CHOICE, 0, VEER_MOST_CHOICES);
        if (leaf == VEER_NONE) return;
        struct veer_leaf_state *state = &LEAF_STATES[leaf];
        state->type = type;
        state->type_epoch = RUN->epoch;
        state->depth = place.depth;
        state->object = 0;
        veer_wait_for_plan(leaf);
    } else if (type->kind == VEER_TYPE_STRUCT || type->kind == VEER_TYPE_UNION) {
        for (uint32_t k = 0; k < type->count; k++) {
            inner.offset = place.offset + type->fields[k].offset;
            wait_within(type->fields[k].type, inner);
        }
    } else if (type->kind == VEER_TYPE_ARRAY) {
        for (uint32_t k = 0; k < type->count; k++) {
            inner.offset = place.offset + k * type->target->size;
            wait_within(type->target, inner);
        }
    }
}

/* What a pointer's own object is made of comes next: filled where this run has it, only listed where it has not. */
static void unfold(struct veer_input_object *object, uint32_t number, uint32_t site) {
    const struct veer_type *pointer = object->pointer;
    int is_single = pointer->extent == VEER_EXTENT_ONE && pointer->target;
    WAITING->holder = number;
    if (veer_is_there(object) && pointer->extent != VEER_EXTENT_FLEXIBLE) {
        WAITING->is_eager = (uint32_t)is_single;
        veer_fill_object(object, site);
        WAITING->is_eager = 1;
    } else if (is_single) {
        uint32_t id = veer_intern_object(object->leaf, "", 0, pointer->target->id);
        if (id != VEER_NONE) wait_within(pointer->target, (struct veer_place){.object = id, .depth = object->depth});
    }
}

/* Plans all pointers that the roots lead to. The harness calls it when all roots are made. */
void veer_unfold(void) {
    uint32_t site = veer_here();
    for (uint32_t k = 0; k < WAITING->count; k++) {
        uint32_t leaf = WAITING->leaves[k];
        struct veer_leaf_state *state = &LEAF_STATES[leaf];
        const struct veer_input_object *holder = state->holder ? &INPUT_OBJECTS->of[state->holder - 1] : NULL;
        int is_there = !holder || veer_is_there(holder);
        if (!veer_plan_pointer(leaf, is_there, site)) continue;
        state->planned_epoch = RUN->epoch;
        if (holder && is_there) memcpy((void *)(uintptr_t)(veer_object_address(holder) + VEER_LEAVES[leaf].offset), &state->pointer, 8);
        if (state->own) unfold(&INPUT_OBJECTS->of[state->own - 1], state->own, site);
    }
    WAITING->is_eager = 0;
}
