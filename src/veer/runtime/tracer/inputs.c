/* What a harness asks for as inputs: values of a type, plain bytes, choices. */
#include "inputs.h"

#include <string.h>

#include "alternatives.h"
#include "bounds.h"
#include "calling.h"
#include "elements.h"
#include "engine/leaves.h"
#include "events.h"
#include "flow_models.h"
#include "flow_writes.h"
#include "flows.h"
#include "growth.h"
#include "input_leaves.h"
#include "input_objects.h"
#include "input_values.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "roots.h"
#include "sites.h"
#include "unions.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "waiting.h"
#include "words.h"

void veer_inputs_begin(void) {
    veer_input_leaves_begin();
    veer_roots_begin();
    veer_input_objects_begin();
    veer_elements_begin();
    veer_alternatives_begin();
    veer_unions_begin();
    veer_waiting_begin();
    VEER_CONTROL->result_length = 0;
    VEER_CONTROL->result_count = 0;
}

void veer_set_bounds(uint32_t graph_depth, uint32_t maximum_objects) {
    INPUT_OBJECTS->graph_depth = (uint32_t)veer_grown(VEER_BOUND_DEPTH, graph_depth);
    if (maximum_objects && maximum_objects < VEER_MAX_INPUT_OBJECTS) INPUT_OBJECTS->most = maximum_objects;
}

uint64_t veer_grown_bound(uint32_t bound, uint64_t number) {
    VEER_HOT->callee = 0;
    return veer_grown(bound, number);
}

void veer_come_to_bound(uint32_t bound) {
    VEER_HOT->callee = 0;
    veer_meet_bound(bound);
}

uint32_t veer_clocks_are_inputs(void) {
    VEER_HOT->callee = 0;
    if (veer_grown(VEER_BOUND_CLOCKS, 1) > 1) return 1;
    veer_meet_bound(VEER_BOUND_CLOCKS);
    return 0;
}

void veer_set_root_depth(uint32_t depth) { ROOTS->depth = depth; }

void veer_make(void *cell, const struct veer_type *type, const char *name) {
    struct veer_root *root;
    uint64_t address = (uint64_t)(uintptr_t)cell;
    VEER_HOT->callee = 0;
    veer_require(address, type->size, 1, veer_here());
    struct veer_place place = veer_new_root(name, type->id, &root);
    memset(cell, 0, type->size);
    if (address < VEER_LOW_END) veer_fill_words(address, type->size, VEER_SHADOW_CONCRETE);
    root->leaf = veer_make_value(address, type, place);
    if (veer_has_flows()) veer_flow_input(address, type->size);
}

void veer_make_symbolic(void *cell, uint64_t size, const char *name, uint64_t element) {
    struct veer_root *root;
    uint64_t address = (uint64_t)(uintptr_t)cell;
    veer_pin(veer_argument((void *)veer_make_symbolic, 1), size, 64, veer_here());
    VEER_HOT->callee = 0;
    veer_require(address, size, 1, veer_here());
    struct veer_place place = veer_new_root(name, VEER_NONE, &root);
    if (element == 0) element = size == 2 || size == 4 || size == 8 ? size : 1;
    if (element != 2 && element != 4 && element != 8) element = 1;
    uint32_t kind = element == 1 ? VEER_LEAFKIND_BYTE : VEER_LEAFKIND_UNSIGNED;
    uint64_t whole = size / element * element;
    if (element == 1 && veer_make_bytes(address, size, place, &root->leaf)) return;
    for (uint64_t k = 0; k < whole; k += element, place.offset += (uint32_t)element)
        veer_make_leaf(address + k, place, (uint32_t)element * 8, kind, 1, 0, &root->leaf);
    for (uint64_t k = whole; k < size; k++, place.offset++)
        veer_make_leaf(address + k, place, 8, VEER_LEAFKIND_BYTE, 1, 0, NULL);
    if (veer_has_flows()) veer_flow_input(address, size);
}

uint64_t veer_choose(uint64_t count, const char *name) {
    struct veer_root *root;
    VEER_HOT->callee = 0;
    if (count < 2) return 0;
    if (count > UINT16_MAX) count = UINT16_MAX;
    struct veer_place place = veer_new_root(name, VEER_NONE, &root);
    uint32_t leaf = veer_intern_leaf(place.object, 0, 64, VEER_LEAFKIND_CHOICE, 0, count - 1);
    if (leaf == VEER_NONE) return 0;
    uint64_t value = veer_leaf_input(leaf, count);
    veer_record_leaf(leaf);
    veer_choice_event(leaf, (uint32_t)count, (uint32_t)value, 0, veer_here());
    if (veer_has_flows()) veer_flow_return((void *)veer_choose, veer_flow_touch_state(VEER_FLOW_INPUT, 0, veer_here()));
    return value;
}
