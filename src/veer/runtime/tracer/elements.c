/* Which elements of an input there are: strings and buffers end exactly where this run's input says, and that an element exists is
   decided when it is first touched. */
#include "elements.h"

#include "chunks.h"
#include "endings.h"
#include "engine/arena.h"
#include "engine/bits.h"
#include "events.h"
#include "found.h"
#include "growth.h"
#include "input_objects.h"
#include "leaf_state.h"
#include "veer_shared.h"
#include "words.h"

static uint32_t wide(uint32_t op, uint32_t expression) {
    if (!expression || VEER_NODES[expression].width == 64) return expression;
    return veer_expression(op, 64, expression, 0, 0);
}

/* `index < length + more`: there are elements behind those that a guessed length counts. The length is known to be within its bound. */
static uint32_t longer_literal(const struct veer_input_object *object, uint64_t index, int *holds) {
    const struct veer_leaf *leaf = &VEER_LEAVES[object->length_leaf];
    int is_signed = leaf->kind == VEER_LEAFKIND_SIGNED || leaf->kind == VEER_LEAFKIND_CHAR;
    uint64_t length = object->length_value, unused = 64 - leaf->width;
    int64_t number = is_signed ? (int64_t)(length << unused) >> unused : (int64_t)length;
    *holds = (int64_t)index < number + object->more;
    uint32_t counted = wide(is_signed ? VEER_OP_SEXT : VEER_OP_ZEXT, veer_leaf_expression(object->length_leaf));
    uint32_t more = wide(VEER_OP_ZEXT, veer_leaf_expression(object->more_leaf));
    uint32_t all = counted && more ? veer_expression(VEER_OP_ADD, 64, counted, more, 0) : 0, place = veer_constant(64, index);
    return all && place ? veer_expression(VEER_OP_SLT, 1, place, all, 0) : 0;
}

/* `index < length`, or `(index + 1) * size <= length` where the length counts bytes; 0 if it cannot be built. */
uint32_t veer_length_literal(const struct veer_input_object *object, uint64_t index, int *holds) {
    const struct veer_leaf *leaf = &VEER_LEAVES[object->length_leaf];
    if (object->more_leaf != VEER_NONE) return longer_literal(object, index, holds);
    int is_signed = leaf->kind == VEER_LEAFKIND_SIGNED || leaf->kind == VEER_LEAFKIND_CHAR;
    int in_bytes = !object->pointer->length_unit;
    uint64_t needed = in_bytes ? (index + 1) * object->element_size : index + 1;
    uint64_t top = mask_of(leaf->width) >> is_signed;
    uint64_t length = object->length_value;
    if (is_signed) {
        int64_t number = (int64_t)(length << (64 - leaf->width)) >> (64 - leaf->width);
        *holds = number >= 0 && (uint64_t)number >= needed;
    } else {
        *holds = length >= needed;
    }
    uint32_t expression = veer_leaf_expression(object->length_leaf);
    if (needed > top || !expression) return 0;
    uint32_t bound = veer_constant(leaf->width, needed - 1);
    return bound ? veer_expression(is_signed ? VEER_OP_SLT : VEER_OP_ULT, 1, bound, expression, 0) : 0;
}

/* The literal "it has an element"; 0 = it has one whatever the input is. */
uint32_t veer_first_element(const struct veer_input_object *object) {
    int holds = 0;
    int is_given = veer_has_length(object->pointer) && !object->pointer->count && object->length_leaf != VEER_NONE;
    return is_given ? veer_length_literal(object, 0, &holds) : 0;
}

/* Decides that element `index` of an input exists: kind CHECK when the program touches it, ASSUME when an alias needs it. */
void veer_element_exists(struct veer_input_object *object, uint64_t index, uint32_t kind, uint32_t site) {
    if (index < object->known) return;
    uint32_t most = veer_maximum(object->pointer);
    if (index >= most) veer_meet_bound(object->pointer->bound);
    if (object->length_leaf != VEER_NONE) {
        int holds = 0;
        uint32_t behind = veer_has_length(object->pointer) ? object->pointer->count : 0;
        uint32_t literal = veer_length_literal(object, index, &holds);
        veer_event(behind ? VEER_KIND_GUARD : kind, literal, (uint32_t)holds, site);
        if (holds) object->known = (uint32_t)index + 1;
        if (holds || !behind || index < behind) return;
        literal = veer_length_literal(object, index - behind, &holds); /* it is one of the zeros, or none */
        veer_event(kind, literal, (uint32_t)holds, site);
        return;
    }
    if (object->pointer->extent != VEER_EXTENT_STRING) return;
    uint32_t leaves = object->count < most ? object->count : most;
    for (uint32_t k = object->known ? object->known - 1 : 0; k < index && k < leaves; k++) {
        uint32_t leaf = ELEMENTS->characters[object->first_leaf + k], holds = k + 1 < object->count;
        uint32_t zero = veer_constant(object->element_size * 8, 0);
        uint32_t character = leaf == VEER_NONE ? 0 : veer_leaf_expression(leaf);
        uint32_t equal = zero && character ? veer_expression(VEER_OP_EQ, 1, character, zero, 0) : 0;
        veer_event(kind, equal ? veer_expression(VEER_OP_NOT, 1, equal, 0, 0) : 0, holds, site);
        if (!holds) return;
        object->known = k + 2;
    }
}

/* The element that a leaf lies in is touched. */
void veer_touch(uint32_t leaf, uint32_t site) {
    struct veer_input_object *object = &INPUT_OBJECTS->of[LEAF_STATES[leaf].object - 1];
    veer_element_exists(object, VEER_LEAVES[leaf].offset / object->element_size, VEER_KIND_CHECK, site);
}

/* The run looks at the object's end itself (realloc does): which is the last element is decided, as guards, since no bug depends on
   it. */
void veer_find_end(const struct veer_chunk *chunk, uint32_t site) {
    if (!chunk->input_object) return;
    struct veer_input_object *object = &INPUT_OBJECTS->of[chunk->input_object - 1];
    uint32_t known;
    do {
        known = object->known;
        veer_element_exists(object, known, VEER_KIND_GUARD, site);
    } while (object->known != known);
}

/* The same of the first `size` bytes alone: whether the end lies before them, and where then. */
void veer_end_is_seen(const struct veer_chunk *chunk, uint64_t size, uint32_t site) {
    if (!chunk->input_object) return;
    struct veer_input_object *object = &INPUT_OBJECTS->of[chunk->input_object - 1];
    uint64_t last = (size - 1) / object->element_size;
    veer_element_exists(object, last, VEER_KIND_GUARD, site);
    if (object->length_leaf != VEER_NONE && last >= object->known) veer_find_end(chunk, site);
}

/* Whether the number of its elements depends on the input. */
int veer_varies(const struct veer_input_object *object) {
    return !object->is_settled && (object->pointer->extent == VEER_EXTENT_STRING || object->length_leaf != VEER_NONE);
}

/* The word of a byte of `object` that becomes concrete without being touched by the unit: its existence is still to be asked for. */
uint32_t veer_concrete_word(const struct veer_found *object) {
    int varies = object->extent || (object->input && veer_varies(object->input));
    return varies ? ELEMENTS->untouched : VEER_SHADOW_CONCRETE;
}

/* Bytes that carry no input (the NUL at a string's bound, padding) exist only if the input says so, like all others: their first touch
   must take the slow path as well. */
void veer_mark_untouched(uint64_t address, uint64_t size) {
    if (VEER_CONTROL->is_concrete) return;
    uint32_t *words = veer_words(address), word = veer_constant(8, 0);
    ELEMENTS->untouched = word ? word : VEER_SHADOW_CONCRETE;
    for (uint64_t k = 0; k < size; k++)
        if (words[k] == VEER_SHADOW_CONCRETE) words[k] = ELEMENTS->untouched;
}

/* An access behind an object where only veer's own choice says where it ends is no bug: a run with more elements is another one, and
   more than the bound are beyond what is explored. */
void veer_behind_choice(const struct veer_found *object, uint32_t site) {
    const struct veer_type *pointer = object->input ? object->input->pointer : NULL;
    if (!pointer || pointer->extent != VEER_EXTENT_FLEXIBLE || pointer->high) return;
    if (object->input->length_value < veer_maximum(pointer)) veer_finish(VEER_OUTCOME_ASSUMPTION);
    veer_end_run(VEER_OUTCOME_CAPACITY, site, "an element of a flexible array member beyond the bound");
}

void veer_elements_begin(void) { ELEMENTS->character_count = 0; }
