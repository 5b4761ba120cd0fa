/* The objects that pointer inputs lead to: their making. Which object a pointer leads to: undecided.c; which elements it has:
   elements.c. */
#include "input_objects.h"

#include <string.h>

#include "chunks.h"
#include "elements.h"
#include "endings.h"
#include "ends.h"
#include "engine/arena.h"
#include "engine/leaves.h"
#include "events.h"
#include "extents.h"
#include "growth.h"
#include "input_leaves.h"
#include "input_values.h"
#include "leaf_state.h"
#include "roots.h"
#include "sites.h"
#include "veer_shared.h"
#include "words.h"

static uint32_t element_size_of(const struct veer_type *pointer) {
    const struct veer_type *target = pointer->target;
    return !target || target->kind == VEER_TYPE_OPAQUE || target->size == 0 ? 1 : target->size;
}

static uint32_t target_id(const struct veer_type *pointer) { return pointer->target ? pointer->target->id : VEER_NONE; }

/* How many elements there may be behind those that a guessed length counts. */
static uint32_t most_more(const struct veer_type *pointer) {
    return pointer->longer && veer_grown(pointer->longer, 1) > 1 ? veer_maximum(pointer) : 0;
}

/* How many elements a fresh object has at most. */
static uint32_t most_elements(const struct veer_type *pointer) {
    int opaque = !pointer->target || pointer->target->kind == VEER_TYPE_OPAQUE;
    switch (pointer->extent) {
    case VEER_EXTENT_STRING: return veer_maximum(pointer) + 1;
    case VEER_EXTENT_FIXED:
    case VEER_EXTENT_COUNT: return veer_maximum(pointer);
    case VEER_EXTENT_LENGTH: return veer_maximum(pointer) + pointer->count + most_more(pointer);
    default: break;
    }
    if (!opaque) return 1;
    return pointer->maximum ? pointer->maximum : pointer->target ? pointer->target->maximum : 0;
}

static void make_element(uint64_t address, const struct veer_type *pointer, struct veer_place place) {
    if (!pointer->target || pointer->target->kind == VEER_TYPE_OPAQUE || pointer->target->size == 0)
        veer_make_leaf(address, place, 8, VEER_LEAFKIND_BYTE, 1, 0, NULL);
    else
        veer_make_value(address, pointer->target, place);
}

/* The characters of a string, up to and with its NUL. Returns how many bytes, or elements, it has. */
static uint32_t make_string(struct veer_input_object *object, uint64_t address, struct veer_place place) {
    const struct veer_type *pointer = object->pointer;
    uint32_t size = object->element_size, most = veer_maximum(pointer), count = 0;
    object->first_leaf = ELEMENTS->character_count;
    for (; count < most; count++) {
        uint32_t leaf = VEER_NONE;
        uint64_t at = address + (uint64_t)count * size, value = 0;
        place.offset = count * size;
        veer_fill_words(at, size, VEER_SHADOW_CONCRETE);
        value = veer_make_leaf(at, place, size * 8, size == 1 ? VEER_LEAFKIND_CHAR : VEER_LEAFKIND_UNSIGNED, 1, 0, &leaf);
        if (ELEMENTS->character_count >= VEER_MAX_CHARACTERS)
            veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the strings of the input are too long");
        ELEMENTS->characters[ELEMENTS->character_count++] = leaf;
        if (value == 0) return count + 1;
    }
    veer_meet_bound(pointer->bound);
    veer_fill_words(address + (uint64_t)count * size, size, VEER_SHADOW_CONCRETE);
    return count + 1;
}

/* The leaf that holds how many elements the object itself has, or has more than its length says: no decision depends on it until one of
   them is touched. */
static uint32_t count_leaf(const struct veer_input_object *object, uint32_t least, uint32_t most) {
    uint32_t leaf = veer_intern_leaf(object->object, VEER_COUNT_OFFSET, 32, VEER_LEAFKIND_UNSIGNED, least, most);
    if (leaf == VEER_NONE) return leaf;
    VEER_LEAVES[leaf].flags = (uint16_t)object->pointer->bound;
    veer_record_leaf(leaf);
    return leaf;
}

/* The number of elements up to `most` whose last one exists. */
static uint32_t elements_there(const struct veer_input_object *object, uint32_t most) {
    uint32_t low = 0, high = most;
    while (low < high) {
        int holds = 0;
        uint32_t middle = (low + high + 1) / 2;
        veer_length_literal(object, middle - 1, &holds);
        if (holds) low = middle;
        else high = middle - 1;
    }
    return low;
}

/* How many elements a buffer has whose length another input holds; a length beyond the bound violates a precondition. */
static uint32_t take_length(struct veer_input_object *object, uint32_t site) {
    const struct veer_type *pointer = object->pointer;
    uint32_t most = veer_maximum(pointer);
    if (pointer->extent == VEER_EXTENT_COUNT) object->length_leaf = count_leaf(object, 1, most);
    else if (pointer->high) object->length_leaf = veer_counting_leaf(object->leaf, pointer);
    else object->length_leaf = pointer->length ? veer_root_of(pointer->length)->leaf : VEER_NONE;
    if (pointer->extent == VEER_EXTENT_LENGTH) veer_meet_bound(pointer->bound);
    if (object->length_leaf == VEER_NONE) return most;
    object->length_value = veer_leaf_input(object->length_leaf, 0);
    int beyond = 0;
    const struct veer_leaf *leaf = &VEER_LEAVES[object->length_leaf];
    uint64_t too_long = ((uint64_t)most + 1) * (pointer->length_unit ? 1 : object->element_size);
    int bounded = (int64_t)leaf->minimum <= (int64_t)leaf->maximum && (int64_t)leaf->maximum < (int64_t)too_long;
    uint32_t literal = veer_length_literal(object, most, &beyond);
    if (literal && !bounded) veer_event(VEER_KIND_ASSUME, veer_expression(VEER_OP_NOT, 1, literal, 0, 0), !beyond, site);
    if (beyond) veer_finish(VEER_OUTCOME_ASSUMPTION);
    uint32_t more = most_more(pointer);
    if (more) {
        object->more_leaf = count_leaf(object, 0, more);
        if (object->more_leaf != VEER_NONE) object->more = (uint32_t)veer_leaf_input(object->more_leaf, 0);
    }
    return elements_there(object, most + object->more);
}

/* The member of a struct at that offset. */
static const struct veer_type *member_at(const struct veer_type *structure, uint64_t offset, int is_array) {
    for (uint32_t k = 0; k < structure->count; k++) {
        const struct veer_type *type = structure->fields[k].type;
        if (structure->fields[k].offset == offset && (type->kind == VEER_TYPE_ARRAY) == is_array) return type;
    }
    return NULL;
}

/* How many elements a struct's flexible array member has. It is decided now, by GUARDs, so that the object is like any other: where it
   ends does not depend on the input any more. More than the bound violate a precondition. */
static uint32_t take_tail(const struct veer_type *pointer, struct veer_place place, uint32_t site) {
    const struct veer_type *counter = pointer->high ? member_at(pointer->target, pointer->high - 1, 0) : NULL;
    place.offset = pointer->high ? (uint32_t)pointer->high - 1 : VEER_COUNT_OFFSET;
    uint32_t most = veer_maximum(pointer);
    uint32_t leaf = counter ? veer_scalar_leaf(counter, place)
                            : veer_intern_leaf(place.object, place.offset, 32, VEER_LEAFKIND_UNSIGNED, 0, most);
    if (leaf == VEER_NONE) return 0;
    if (!counter) VEER_LEAVES[leaf].flags = (uint16_t)pointer->bound;
    veer_meet_bound(pointer->bound);
    uint32_t width = VEER_LEAVES[leaf].width, is_signed = VEER_LEAVES[leaf].kind != VEER_LEAFKIND_UNSIGNED;
    uint64_t number = veer_leaf_input(leaf, 0);
    if (!counter) veer_record_leaf(leaf);
    uint32_t expression = veer_leaf_expression(leaf);
    int is_negative = is_signed && (number >> (width - 1) & 1);
    for (uint32_t count = 0; count <= most; count++) {
        int holds = is_negative || number <= count;
        uint32_t bound = veer_constant(width, count), op = is_signed ? VEER_OP_SLE : VEER_OP_ULE;
        uint32_t literal = bound && expression ? veer_expression(op, 1, expression, bound, 0) : 0;
        veer_event(count < most ? VEER_KIND_GUARD : VEER_KIND_ASSUME, literal, (uint32_t)holds, site);
        if (holds) return count;
    }
    veer_finish(VEER_OUTCOME_ASSUMPTION);
}

/* The type of the elements of a struct's flexible array member. */
static const struct veer_type *tail_element(const struct veer_type *pointer) { return member_at(pointer->target, pointer->low, 1)->target; }

/* Bytes of a struct with so many elements behind it, and how many of them there are: what lies in its padding anyway is one, too. */
static uint64_t flexible_bytes(const struct veer_type *pointer, uint64_t *count) {
    uint64_t whole = pointer->target->size, size = tail_element(pointer)->size ? tail_element(pointer)->size : 1;
    uint64_t padding = (whole - pointer->low) / size;
    if (*count < padding) *count = padding;
    uint64_t end = pointer->low + *count * size;
    return end > whole ? end : whole;
}

/* A struct's flexible array member and what counts its elements: from now on the object is no longer than it is. */
static void make_tail(struct veer_input_object *object, struct veer_chunk *chunk, uint32_t site) {
    const struct veer_type *pointer = object->pointer, *element = tail_element(pointer);
    struct veer_place place = {.object = object->object, .depth = object->depth};
    uint64_t count = take_tail(pointer, place, site), bytes = flexible_bytes(pointer, &count);
    veer_fill_words(chunk->address + chunk->size, bytes - chunk->size, VEER_SHADOW_CONCRETE);
    chunk->size = chunk->reserved = (uint32_t)bytes;
    object->length_value = count;
    INPUT_LEAVES->making = 0;
    veer_make_value(chunk->address, pointer->target, place);
    uint32_t size = element->size ? element->size : 1;
    place.offset = (uint32_t)pointer->low;
    for (uint64_t k = 0; k < count; k++, place.offset += size) veer_make_value(chunk->address + place.offset, element, place);
}

/* Bytes before what counts the elements, where these are all that is no input: an array of a language of objects. 0 = there are none. */
static uint32_t header_bytes(const struct veer_type *pointer) {
    int is_array = pointer->high > 1 && pointer->target->count == 2 && pointer->target->function;
    return is_array ? (uint32_t)pointer->high - 1 : 0;
}

/* A fresh struct with a flexible array member. Where a header stands before what counts its elements, the header alone is there until one
   looks behind it. */
static void make_flexible(struct veer_input_object *object, struct veer_chunk *chunk, uint32_t site) {
    chunk->size = header_bytes(object->pointer);
    object->count = object->known = 1;
    object->is_header = chunk->size > 0;
    veer_fill_words(chunk->address, chunk->size, VEER_SHADOW_CONCRETE);
    if (!object->is_header) make_tail(object, chunk, site);
}

/* What is behind the header of an object that lies there; 0 = it is none of which the header alone is there. */
int veer_complete_object(uint64_t address, uint32_t site) {
    struct veer_chunk *chunk = veer_chunk_before(address);
    struct veer_input_object *object = chunk && chunk->input_object ? &INPUT_OBJECTS->of[chunk->input_object - 1] : NULL;
    if (!object || !object->is_header || address - chunk->address >= chunk->reserved) return 0;
    object->is_header = 0;
    make_tail(object, chunk, site);
    veer_mix_choice(object->leaf, (uint32_t)object->length_value);
    uint64_t counter = chunk->address + header_bytes(object->pointer);
    memcpy((void *)(uintptr_t)counter, &object->length_value, 4);
    veer_fill_words(counter, 4, VEER_SHADOW_CONCRETE);
    return 1;
}

/* How many addresses a fresh object needs at most. */
static uint64_t most_bytes(const struct veer_type *pointer) {
    uint64_t count = veer_maximum(pointer);
    return pointer->extent == VEER_EXTENT_FLEXIBLE ? flexible_bytes(pointer, &count) : (uint64_t)most_elements(pointer) * element_size_of(pointer);
}

/* Addresses for the object that may come to be behind a pointer leaf; its number + 1. They are taken whatever the pointer turns out to
   be, so that what comes later lies at the same place in every run of a path. */
uint32_t veer_reserve_object(uint32_t leaf, const struct veer_type *pointer, uint32_t depth, uint32_t site) {
    if (INPUT_OBJECTS->count == VEER_MAX_INPUT_OBJECTS) veer_end_run(VEER_OUTCOME_CAPACITY, site, "the input has too many pointers");
    uint32_t index = INPUT_OBJECTS->count++, size = element_size_of(pointer);
    struct veer_input_object *object = &INPUT_OBJECTS->of[index];
    *object = (struct veer_input_object){.object = VEER_NONE, .leaf = leaf, .pointer = pointer, .element_size = size,
                                         .length_leaf = VEER_NONE, .more_leaf = VEER_NONE, .depth = depth};
    uint64_t alignment = pointer->target && pointer->target->alignment > 16 ? pointer->target->alignment : 16;
    struct veer_chunk *chunk = veer_new_chunk(0, most_bytes(pointer), alignment, site);
    chunk->input_object = index + 1;
    chunk->state = VEER_CHUNK_RESERVED;
    object->chunk = (uint32_t)(chunk - CHUNKS->of);
    return index + 1;
}

uint64_t veer_object_address(const struct veer_input_object *object) { return CHUNKS->of[object->chunk].address; }

/* Makes the object: it is there from now on, whatever else is decided. */
void veer_make_object(struct veer_input_object *object, uint32_t site) {
    object->state = VEER_OBJECT_MADE;
    INPUT_OBJECTS->made++;
    if (!object->is_filled) veer_fill_object(object, site);
}

/* Makes the object's contents inputs. */
void veer_fill_object(struct veer_input_object *object, uint32_t site) {
    const struct veer_type *pointer = object->pointer;
    struct veer_chunk *chunk = &CHUNKS->of[object->chunk];
    object->object = veer_intern_object(object->leaf, "", 0, target_id(pointer));
    if (object->object == VEER_NONE) veer_end_run(VEER_OUTCOME_CAPACITY, site, "the table of input objects is full");
    struct veer_place place = {.object = object->object, .depth = object->depth};
    object->is_filled = 1;
    chunk->state = VEER_CHUNK_LIVE;
    if (pointer->extent == VEER_EXTENT_FLEXIBLE) {
        make_flexible(object, chunk, site);
        return;
    }
    uint32_t size = object->element_size, most = most_elements(pointer);
    int is_given = veer_has_length(pointer) || pointer->extent == VEER_EXTENT_COUNT;
    uint32_t made = is_given ? take_length(object, site) : most;
    object->count = made + (veer_has_length(pointer) ? pointer->count : 0);
    object->known = pointer->extent == VEER_EXTENT_COUNT;
    int varies = veer_varies(object);
    EXTENTS->are_open |= (uint32_t)varies;
    INPUT_LEAVES->making = varies ? chunk->input_object : 0;
    if (pointer->extent == VEER_EXTENT_STRING) {
        object->count = make_string(object, chunk->address, place);
    } else {
        veer_fill_words(chunk->address, (uint64_t)object->count * size, VEER_SHADOW_CONCRETE);
        for (uint32_t k = 0; k < made; k++, place.offset += size)
            make_element(chunk->address + (uint64_t)k * size, pointer, place);
    }
    INPUT_LEAVES->making = 0;
    chunk->size = object->count * size;
    if (varies && most > 1) veer_mark_untouched(chunk->address, chunk->size);
}

void veer_input_objects_begin(void) {
    INPUT_OBJECTS->count = 0;
    INPUT_OBJECTS->made = 0;
    INPUT_OBJECTS->graph_depth = 3;
    INPUT_OBJECTS->most = VEER_MAX_INPUT_OBJECTS - 1;
}
