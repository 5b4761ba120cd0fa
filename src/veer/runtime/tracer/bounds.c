/* Whether a range of memory may be accessed, and what its first touch decides: pointers that are still open, elements that may
   not exist. */
#include "bounds.h"

#include "bad_access.h"
#include "declared.h"
#include "deferred.h"
#include "elements.h"
#include "end_addresses.h"
#include "ends.h"
#include "extents.h"
#include "flow_map.h"
#include "flows.h"
#include "found.h"
#include "globals.h"
#include "input_objects.h"
#include "lazy.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "objects.h"
#include "run.h"
#include "undecided.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

/* An access of memory that is not the unit's is let through; should it fault, this is its site. */
static void note_foreign(uint32_t site) {
    BOUNDS->foreign_site = site;
    BOUNDS->foreign_depth = VEER_HOT->depth;
}

/* Ends the run unless all bytes of the range may be accessed. */
void veer_require(uint64_t address, uint64_t size, int is_store, uint32_t site) {
    if (size == 0) return;
    veer_level_access(address, size, is_store);
    if (address >= VEER_LOW_END) {
        if (veer_own_address(address) || address + size < address) veer_bad_access(address, size, is_store, site);
        note_foreign(site);
        return;
    }
    if (address + size > VEER_LOW_END || address < VEER_NULL_END) veer_bad_access(address, size, is_store, site);
    if (is_store && veer_is_constant_data(address, size)) veer_trap(site, VEER_TRAP_CONSTANT);
    uint64_t good = veer_first_zero(address, size);
    if (good < size && LAZY->count && veer_touch_lazy(address, size)) good = veer_first_zero(address, size);
    if (good < size && veer_complete_object(address + good, site)) good = veer_first_zero(address, size);
    if (good == size) return;
    struct veer_found found = veer_find_object(address);
    int is_sized = found.extent && address >= found.base && address - found.base <= found.capacity;
    if (is_sized) veer_extent_reaches(found.extent, address + size - found.base, site);
    if (veer_foreign(address + good) && veer_foreign(address + size - 1)) {
        note_foreign(site);
        return;
    }
    /* As a run does that has all of the bytes: both ask the same questions in the same order. How many bytes of an object of symbolic
       size are there is this run's alone, and its size has been asked. */
    if (!is_sized) veer_touch_range(address, good, site);
    veer_bad_access(address + good, size, is_store, site);
}

/* The leaf of an expression that is nothing but a leaf, or NONE. */
static uint32_t leaf_of(uint32_t expression) {
    const struct veer_node *node = &VEER_NODES[expression];
    return node->op == VEER_OP_LEAF ? node->a : VEER_NONE;
}

/* Whether the leaf lies in an element of a string or buffer that no decision has found to exist. */
static int is_untouched(uint32_t leaf) {
    const struct veer_leaf_state *state = &LEAF_STATES[leaf];
    if (!state->object) return 0;
    const struct veer_input_object *object = &INPUT_OBJECTS->of[state->object - 1];
    return VEER_LEAVES[leaf].offset / object->element_size >= object->known;
}

/* Whether a pointer input that is still to be decided overlaps the range. */
int veer_is_undecided(uint64_t address, uint64_t size) {
    for (uint64_t i = 0; i < size; i++) {
        uint32_t word = veer_words(address)[i], leaf = word < VEER_FIRST_EXPRESSION ? VEER_NONE : leaf_of(word & VEER_EXPRESSION_MASK);
        if (leaf != VEER_NONE && (VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHOICE || veer_is_end(leaf))) return 1;
        if (veer_pointer_of(word & VEER_EXPRESSION_MASK) != VEER_NONE) return 1;
    }
    return 0;
}

/* Decides the undecided pointers whose cells overlap the range, and writes them into memory; numbers that were put off are read. */
void veer_decide_range(uint64_t address, uint64_t size, uint32_t site) {
    if (DEFERRED->count) veer_read_deferred(address, size);
    for (uint64_t i = 0; i < size; i++) {
        uint32_t word = veer_words(address)[i];
        if (word < VEER_FIRST_EXPRESSION || VEER_NODES[word & VEER_EXPRESSION_MASK].width != 64) continue;
        uint32_t leaf = veer_pointer_of(word & VEER_EXPRESSION_MASK);
        if (leaf != VEER_NONE) { /* met before: its bytes are those of the address */
            veer_decide_pointer(leaf, site);
            veer_words(address)[i] = VEER_SHADOW_CONCRETE;
            continue;
        }
        leaf = leaf_of(word & VEER_EXPRESSION_MASK);
        uint32_t term = 0;
        int is_end = leaf != VEER_NONE && veer_is_end(leaf);
        if (leaf == VEER_NONE || (!is_end && VEER_LEAVES[leaf].kind != VEER_LEAFKIND_CHOICE)) continue;
        uint64_t value = is_end ? veer_resolve_end(leaf, &term, site) : veer_decide_pointer(leaf, site);
        uint8_t *bytes = (uint8_t *)(uintptr_t)address;
        /* The cell may stretch beyond the range on both sides; all of its bytes that still carry this leaf change. */
        uint32_t expression = word & VEER_EXPRESSION_MASK, fragment = word >> VEER_FRAGMENT_SHIFT;
        uint32_t concrete = is_untouched(leaf) ? ELEMENTS->untouched : VEER_SHADOW_CONCRETE;
        if (veer_has_flows()) veer_flow_pointer(address + i - fragment);
        for (uint32_t k = 0; k < 8; k++) {
            int64_t place = (int64_t)i + k - (int64_t)fragment;
            uint32_t *other = &veer_words(address)[place];
            if (*other != (k << VEER_FRAGMENT_SHIFT | expression)) continue;
            bytes[place] = (uint8_t)(value >> (8 * k));
            *other = term ? k << VEER_FRAGMENT_SHIFT | term : concrete;
        }
    }
}

/* The first touch of a concrete byte of such an input, or of an object of symbolic size; from now on it is like any other concrete
   byte. Constant data stays guarded (globals.c). */
static void touch_concrete(uint64_t address, uint32_t site) {
    if (veer_is_constant_data(address, 1)) return;
    struct veer_found found = veer_find_object(address);
    if (found.input && address >= found.base && address < found.base + found.size)
        veer_element_exists(found.input, (address - found.base) / found.input->element_size, VEER_KIND_CHECK, site);
    veer_words(address)[0] = VEER_SHADOW_CONCRETE;
}

/* Bytes of an object of symbolic size that are not simply concrete may exist in this run alone: its size is asked. */
static void touch_sized(uint64_t address, uint64_t size, uint32_t site) {
    struct veer_found found = veer_find_object(address);
    if (found.extent && address >= found.base && address < found.base + found.size)
        veer_extent_reaches(found.extent, address + size - found.base, site);
}

/* First touches of characters and elements of inputs whose length varies: decides that they exist. */
void veer_touch_range(uint64_t address, uint64_t size, uint32_t site) {
    if (!EXTENTS->are_open) return;
    uint32_t *words = veer_words(address);
    if (EXTENTS->count && veer_symbolic_range(address, size)) touch_sized(address, size, site);
    for (uint64_t i = 0; i < size; i++) {
        if (words[i] < VEER_FIRST_EXPRESSION) continue;
        uint32_t expression = words[i] & VEER_EXPRESSION_MASK, leaf = leaf_of(expression);
        if (VEER_NODES[expression].op == VEER_OP_CONST) touch_concrete(address + i, site);
        if (leaf == VEER_NONE || !LEAF_STATES[leaf].object) continue;
        if (LEAF_STATES[leaf].epoch == RUN->epoch || LEAF_STATES[leaf].type_epoch == RUN->epoch) veer_touch(leaf, site);
    }
}

void veer_bounds_begin(void) { BOUNDS->foreign_depth = VEER_NONE; }
