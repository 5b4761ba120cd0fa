/* The objects that pointer inputs lead to. Strings and buffers end exactly where this run's input says; that an element exists is
   decided when it is first touched. Which object a pointer leads to: undecided.c. */
#include <string.h>

#include "tracer.h"

static uint32_t element_size_of(const struct veer_type *pointer) {
    const struct veer_type *target = pointer->target;
    return !target || target->kind == VEER_TYPE_OPAQUE || target->size == 0 ? 1 : target->size;
}

static uint32_t target_id(const struct veer_type *pointer) { return pointer->target ? pointer->target->id : VEER_NONE; }

static int has_length(const struct veer_type *pointer) { return pointer->extent == VEER_EXTENT_LENGTH; }

/* How many elements a fresh object has at most. */
static uint32_t most_elements(const struct veer_type *pointer) {
    int opaque = !pointer->target || pointer->target->kind == VEER_TYPE_OPAQUE;
    switch (pointer->extent) {
    case VEER_EXTENT_STRING: return pointer->maximum + 1;
    case VEER_EXTENT_FIXED:
    case VEER_EXTENT_COUNT: return pointer->maximum;
    case VEER_EXTENT_LENGTH: return pointer->maximum + pointer->count;
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
    struct veer_tracer *tracer = TRACER;
    const struct veer_type *pointer = object->pointer;
    uint32_t size = object->element_size, count = 0;
    object->first_leaf = tracer->leaf_pool_count;
    for (; count < pointer->maximum; count++) {
        uint32_t leaf = VEER_NONE;
        uint64_t at = address + (uint64_t)count * size, value = 0;
        place.offset = count * size;
        veer_fill_words(at, size, VEER_SHADOW_CONCRETE);
        value = veer_make_leaf(at, place, size * 8, size == 1 ? VEER_LEAFKIND_CHAR : VEER_LEAFKIND_UNSIGNED, 1, 0, &leaf);
        if (tracer->leaf_pool_count >= VEER_LEAF_POOL)
            veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the strings of the input are too long");
        tracer->leaf_pool[tracer->leaf_pool_count++] = leaf;
        if (value == 0) return count + 1;
    }
    veer_fill_words(address + (uint64_t)count * size, size, VEER_SHADOW_CONCRETE);
    return count + 1;
}

/* `index < length`, or `(index + 1) * size <= length` where the length counts bytes; 0 if it cannot be built. */
static uint32_t length_literal(const struct veer_input_object *object, uint64_t index, int *holds) {
    const struct veer_leaf *leaf = &VEER_LEAVES[object->length_leaf];
    int is_signed = leaf->kind == VEER_LEAFKIND_SIGNED || leaf->kind == VEER_LEAFKIND_CHAR;
    int in_bytes = !object->pointer->length_unit;
    uint64_t needed = in_bytes ? (index + 1) * object->element_size : index + 1;
    uint64_t top = veer_mask(leaf->width) >> is_signed;
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
    int is_given = has_length(object->pointer) && !object->pointer->count && object->length_leaf != VEER_NONE;
    return is_given ? length_literal(object, 0, &holds) : 0;
}

/* Decides that element `index` of an input exists: kind CHECK when the program touches it, ASSUME when an alias needs it. */
void veer_element_exists(struct veer_input_object *object, uint64_t index, uint32_t kind, uint32_t site) {
    if (index < object->known) return;
    if (object->length_leaf != VEER_NONE) {
        int holds = 0;
        uint32_t behind = has_length(object->pointer) ? object->pointer->count : 0;
        uint32_t literal = length_literal(object, index, &holds);
        veer_event(behind ? VEER_KIND_GUARD : kind, literal, (uint32_t)holds, site);
        if (holds) object->known = (uint32_t)index + 1;
        if (holds || !behind || index < behind) return;
        literal = length_literal(object, index - behind, &holds); /* it is one of the zeros, or none */
        veer_event(kind, literal, (uint32_t)holds, site);
        return;
    }
    if (object->pointer->extent != VEER_EXTENT_STRING) return;
    uint32_t leaves = object->count < object->pointer->maximum ? object->count : object->pointer->maximum;
    for (uint32_t k = object->known ? object->known - 1 : 0; k < index && k < leaves; k++) {
        uint32_t leaf = TRACER->leaf_pool[object->first_leaf + k], holds = k + 1 < object->count;
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
    struct veer_input_object *object = &TRACER->input_objects[TRACER->leaves[leaf].object - 1];
    veer_element_exists(object, VEER_LEAVES[leaf].offset / object->element_size, VEER_KIND_CHECK, site);
}

/* The run looks at the object's end itself (realloc does): whether it lies before the first `size` bytes is decided, and where, as
   guards, since no bug depends on it. */
void veer_end_is_seen(const struct veer_chunk *chunk, uint64_t size, uint32_t site) {
    if (!chunk->input_object) return;
    struct veer_input_object *object = &TRACER->input_objects[chunk->input_object - 1];
    veer_element_exists(object, (size - 1) / object->element_size, VEER_KIND_GUARD, site);
}

/* Whether the number of its elements depends on the input. */
int veer_varies(const struct veer_input_object *object) {
    return !object->is_settled && (object->pointer->extent == VEER_EXTENT_STRING || object->length_leaf != VEER_NONE);
}

/* The word of a byte of `object` that becomes concrete without being touched by the unit: its existence is still to be asked for. */
uint32_t veer_concrete_word(const struct veer_found *object) {
    int varies = object->extent || (object->input && veer_varies(object->input));
    return varies ? TRACER->untouched : VEER_SHADOW_CONCRETE;
}

/* Bytes that carry no input (the NUL at a string's bound, padding) exist only if the input says so, like all others: their first touch
   must take the slow path as well. */
void veer_mark_untouched(uint64_t address, uint64_t size) {
    uint32_t *words = veer_words(address), word = veer_constant(8, 0);
    TRACER->untouched = word ? word : VEER_SHADOW_CONCRETE;
    for (uint64_t k = 0; k < size; k++)
        if (words[k] == VEER_SHADOW_CONCRETE) words[k] = TRACER->untouched;
}

/* The leaf that holds how many elements the object itself has: no decision depends on it until the second one is touched. */
static uint32_t count_leaf(const struct veer_input_object *object) {
    uint32_t leaf = veer_intern_leaf(object->object, VEER_COUNT_OFFSET, 32, VEER_LEAFKIND_UNSIGNED, 1, object->pointer->maximum);
    if (leaf != VEER_NONE) veer_record_leaf(leaf);
    return leaf;
}

/* How many elements a buffer has whose length another input holds; a length beyond the bound violates a precondition. */
static uint32_t take_length(struct veer_input_object *object, uint32_t site) {
    const struct veer_type *pointer = object->pointer;
    if (pointer->extent == VEER_EXTENT_COUNT) object->length_leaf = count_leaf(object);
    else object->length_leaf = pointer->length ? veer_root_of(pointer->length)->leaf : VEER_NONE;
    if (object->length_leaf == VEER_NONE) return pointer->maximum;
    object->length_value = veer_leaf_input(object->length_leaf, 0);
    int beyond = 0;
    const struct veer_leaf *leaf = &VEER_LEAVES[object->length_leaf];
    uint64_t too_long = ((uint64_t)pointer->maximum + 1) * (pointer->length_unit ? 1 : object->element_size);
    int bounded = (int64_t)leaf->minimum <= (int64_t)leaf->maximum && (int64_t)leaf->maximum < (int64_t)too_long;
    uint32_t literal = length_literal(object, pointer->maximum, &beyond);
    if (literal && !bounded) veer_event(VEER_KIND_ASSUME, veer_expression(VEER_OP_NOT, 1, literal, 0, 0), !beyond, site);
    if (beyond) veer_finish(VEER_OUTCOME_ASSUMPTION);
    uint32_t low = 0, high = pointer->maximum;
    while (low < high) { /* the largest count whose last element exists */
        int holds = 0;
        uint32_t middle = (low + high + 1) / 2;
        length_literal(object, middle - 1, &holds);
        if (holds) low = middle;
        else high = middle - 1;
    }
    return low;
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
    uint32_t leaf = counter ? veer_scalar_leaf(counter, place)
                            : veer_intern_leaf(place.object, place.offset, 32, VEER_LEAFKIND_UNSIGNED, 0, pointer->maximum);
    if (leaf == VEER_NONE) return 0;
    uint32_t width = VEER_LEAVES[leaf].width, is_signed = VEER_LEAVES[leaf].kind != VEER_LEAFKIND_UNSIGNED;
    uint64_t number = veer_leaf_input(leaf, 0);
    if (!counter) veer_record_leaf(leaf);
    uint32_t expression = veer_leaf_expression(leaf);
    int is_negative = is_signed && (number >> (width - 1) & 1);
    for (uint32_t count = 0; count <= pointer->maximum; count++) {
        int holds = is_negative || number <= count;
        uint32_t bound = veer_constant(width, count), op = is_signed ? VEER_OP_SLE : VEER_OP_ULE;
        uint32_t literal = bound && expression ? veer_expression(op, 1, expression, bound, 0) : 0;
        veer_event(count < pointer->maximum ? VEER_KIND_GUARD : VEER_KIND_ASSUME, literal, (uint32_t)holds, site);
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

/* A fresh struct with its flexible array member: from now on no longer than it is. */
static void make_flexible(struct veer_input_object *object, struct veer_chunk *chunk, struct veer_place place, uint32_t site) {
    const struct veer_type *pointer = object->pointer, *element = tail_element(pointer);
    uint64_t count = take_tail(pointer, place, site), bytes = flexible_bytes(pointer, &count);
    chunk->size = chunk->reserved = (uint32_t)bytes;
    object->count = object->known = 1;
    object->length_value = count;
    veer_fill_words(chunk->address, bytes, VEER_SHADOW_CONCRETE);
    TRACER->making = 0;
    veer_make_value(chunk->address, pointer->target, place);
    uint32_t size = element->size ? element->size : 1;
    place.offset = (uint32_t)pointer->low;
    for (uint64_t k = 0; k < count; k++, place.offset += size) veer_make_value(chunk->address + place.offset, element, place);
}

/* An access behind an object where only veer's own choice says where it ends is no bug: a run with more elements is another one, and
   more than the bound are beyond what is explored. */
void veer_behind_choice(const struct veer_found *object, uint32_t site) {
    const struct veer_type *pointer = object->input ? object->input->pointer : NULL;
    if (!pointer || pointer->extent != VEER_EXTENT_FLEXIBLE || pointer->high) return;
    if (object->input->length_value < pointer->maximum) veer_finish(VEER_OUTCOME_ASSUMPTION);
    veer_end_run(VEER_OUTCOME_CAPACITY, site, "an element of a flexible array member beyond the bound");
}

/* How many addresses a fresh object needs at most. */
static uint64_t most_bytes(const struct veer_type *pointer) {
    uint64_t count = pointer->maximum;
    return pointer->extent == VEER_EXTENT_FLEXIBLE ? flexible_bytes(pointer, &count) : (uint64_t)most_elements(pointer) * element_size_of(pointer);
}

/* Addresses for the object that may come to be behind a pointer leaf; its number + 1. They are taken whatever the pointer turns out to
   be, so that what comes later lies at the same place in every run of a path. */
uint32_t veer_reserve_object(uint32_t leaf, const struct veer_type *pointer, uint32_t depth, uint32_t site) {
    struct veer_tracer *tracer = TRACER;
    if (tracer->input_object_count == VEER_MAX_INPUT_OBJECTS) veer_end_run(VEER_OUTCOME_CAPACITY, site, "the input has too many pointers");
    uint32_t index = tracer->input_object_count++, size = element_size_of(pointer);
    struct veer_input_object *object = &tracer->input_objects[index];
    *object = (struct veer_input_object){.object = VEER_NONE, .leaf = leaf, .pointer = pointer, .element_size = size,
                                         .length_leaf = VEER_NONE, .depth = depth};
    uint64_t alignment = pointer->target && pointer->target->alignment > 16 ? pointer->target->alignment : 16;
    struct veer_chunk *chunk = veer_new_chunk(0, most_bytes(pointer), alignment, site);
    chunk->input_object = index + 1;
    chunk->state = VEER_CHUNK_RESERVED;
    object->chunk = (uint32_t)(chunk - tracer->chunks);
    return index + 1;
}

uint64_t veer_object_address(const struct veer_input_object *object) { return TRACER->chunks[object->chunk].address; }

/* Makes the object: it is there from now on, whatever else is decided. */
void veer_make_object(struct veer_input_object *object, uint32_t site) {
    object->state = VEER_OBJECT_MADE;
    TRACER->made_objects++;
    if (!object->is_filled) veer_fill_object(object, site);
}

/* Makes the object's contents inputs. */
void veer_fill_object(struct veer_input_object *object, uint32_t site) {
    struct veer_tracer *tracer = TRACER;
    const struct veer_type *pointer = object->pointer;
    struct veer_chunk *chunk = &tracer->chunks[object->chunk];
    object->object = veer_intern_object(object->leaf, "", 0, target_id(pointer));
    if (object->object == VEER_NONE) veer_end_run(VEER_OUTCOME_CAPACITY, site, "the table of input objects is full");
    struct veer_place place = {.object = object->object, .depth = object->depth};
    object->is_filled = 1;
    chunk->state = VEER_CHUNK_LIVE;
    if (pointer->extent == VEER_EXTENT_FLEXIBLE) {
        make_flexible(object, chunk, place, site);
        return;
    }
    uint32_t size = object->element_size, most = most_elements(pointer);
    int is_given = has_length(pointer) || pointer->extent == VEER_EXTENT_COUNT;
    uint32_t made = is_given ? take_length(object, site) : most;
    object->count = made + (has_length(pointer) ? pointer->count : 0);
    object->known = pointer->extent == VEER_EXTENT_COUNT;
    int varies = veer_varies(object);
    tracer->has_extents |= (uint32_t)varies;
    tracer->making = varies ? chunk->input_object : 0;
    if (pointer->extent == VEER_EXTENT_STRING) {
        object->count = make_string(object, chunk->address, place);
    } else {
        veer_fill_words(chunk->address, (uint64_t)object->count * size, VEER_SHADOW_CONCRETE);
        for (uint32_t k = 0; k < made; k++, place.offset += size)
            make_element(chunk->address + (uint64_t)k * size, pointer, place);
    }
    tracer->making = 0;
    chunk->size = object->count * size;
    if (varies && most > 1) veer_mark_untouched(chunk->address, chunk->size);
}

/* Whether `object` can stand where `pointer` points, as far as lengths go; a pointer to one element asks that it exists. */
int veer_object_fits(struct veer_input_object *object, const struct veer_type *pointer, uint32_t site) {
    const struct veer_type *made = object->pointer;
    switch (pointer->extent) {
    case VEER_EXTENT_STRING: return made->extent == VEER_EXTENT_STRING && made->maximum <= pointer->maximum;
    case VEER_EXTENT_FIXED: return made->extent == VEER_EXTENT_FIXED && made->maximum >= pointer->maximum;
    case VEER_EXTENT_LENGTH:
        return made->extent == VEER_EXTENT_LENGTH && made->length_unit == pointer->length_unit && made->count == pointer->count &&
               made->maximum <= pointer->maximum && made->length && pointer->length && strcmp(made->length, pointer->length) == 0 &&
               object->length_leaf == veer_root_of(pointer->length)->leaf; /* of this very call, in a sequence */
    default: break;
    }
    if (object->count == 0 && made->extent != VEER_EXTENT_LENGTH) return 0;
    veer_element_exists(object, 0, VEER_KIND_ASSUME, site);
    return object->count > 0;
}

static int is_integer(const struct veer_type *type) {
    return type->kind == VEER_TYPE_UNSIGNED || type->kind == VEER_TYPE_SIGNED || type->kind == VEER_TYPE_CHAR;
}

/* Whether an object of the type `made` may stand where one of the type `wanted` is wanted (C11 6.5p7): the same type, by whatever
   name, and integers of one size. model/aliasing.py has the same rule. */
int veer_may_alias(const struct veer_type *made, const struct veer_type *wanted) {
    while (made && wanted && made->id != wanted->id && made->kind == VEER_TYPE_POINTER && wanted->kind == VEER_TYPE_POINTER &&
           made->extent == wanted->extent) {
        made = made->target;
        wanted = wanted->target;
    }
    if (!made || !wanted) return made == wanted;
    if (made->id == wanted->id) return 1;
    if (made->size != wanted->size) return 0;
    if (is_integer(made)) return is_integer(wanted);
    return made->kind == wanted->kind && (made->kind == VEER_TYPE_BOOL || made->kind == VEER_TYPE_FLOAT);
}
