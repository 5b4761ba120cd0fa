/* How objects lie in memory: C leaves open which of two objects has the lower address, and what the bits of an address are. A run that
   asks for one of them (instrument/placement.py) is told once, and the claim names it from then on.

       hot block       placed_base, placed_size     instrumented code
       nothing told    the last object compared     calls for pointers that are not both within it
       told            0, all of memory             calls no more */
#include "placement.h"

#include "growth.h"
#include "objects.h"
#include "veer_runtime.h"

static void know(uint64_t base, uint64_t size) {
    VEER_HOT->placed_base = base;
    VEER_HOT->placed_size = size;
}

void veer_places_begin(void) {
    if (VEER_CONTROL->met_bounds >> VEER_MET_PLACES & 1) know(0, UINT64_MAX);
    else know(0, 0);
}

void veer_ask_place(void) {
    veer_meet_bound(VEER_MET_PLACES);
    know(0, UINT64_MAX);
}

static uint64_t whole(struct veer_found found) { return found.capacity > found.size ? found.capacity : found.size; }

/* One past the end belongs to an object, too. */
static int holds(struct veer_found found, uint64_t address) { return found.region && address - found.base <= whole(found); }

/* Two numbers that are addresses in one object, or of which none lies in a block, ask for nothing. */
void veer_compare_numbers(uint64_t left, uint64_t right) {
    struct veer_found from = veer_find_object(left), to = veer_find_object(right);
    if (holds(from, right)) {
        if (from.chunk) know(from.base, whole(from));
    } else if (holds(from, left) && holds(to, right) && !holds(to, left) && (from.chunk || to.chunk)) {
        veer_ask_place();
    }
}

void veer_ask_bits(uint64_t number) {
    struct veer_found found = veer_find_object(number);
    if (found.chunk && holds(found, number)) veer_ask_place();
}

/* How far two addresses in one object lie apart hangs on nothing. */
void veer_ask_bits_of_difference(uint64_t left, uint64_t right) {
    if (holds(veer_find_object(left), right)) return;
    veer_ask_bits(left);
    veer_ask_bits(right);
}

/* A block is kept for later comparisons: its memory is not used again in the run. */
void veer_compare_places(uint64_t left, uint64_t right) {
    if (!left || !right || left == right) return;
    struct veer_found found = veer_find_object(left);
    if (!holds(found, left) || !holds(found, right)) veer_ask_place();
    else if (found.chunk) know(found.base, whole(found));
}
