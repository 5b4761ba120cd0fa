#include "left_over.h"

#include <string.h>

#include "chunks.h"
#include "found.h"
#include "input_objects.h"
#include "lazy.h"
#include "memory_map.h"
#include "objects.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "versions.h"
#include "words.h"

void veer_left_over_begin(void) {
    LEFT_OVER->is_full = 0;
    for (int k = 0; k < 2; k++) LEFT_OVER->of[k].count = LEFT_OVER->of[k].length = 0;
}

/* One more part of the version under way, with a copy of what lies there now. */
static struct veer_leaving *keep(uint32_t kind, uint32_t number, uint64_t address, uint32_t size) {
    struct veer_version *version = &LEFT_OVER->of[VERSIONS->is_second];
    if (version->count == VEER_MOST_PARTS || size > VEER_MOST_PART_BYTES - version->length) {
        LEFT_OVER->is_full = 1;
        return &LEFT_OVER->scratch;
    }
    struct veer_leaving *part = &version->parts[version->count++];
    *part = (struct veer_leaving){.kind = kind, .number = number, .site = veer_here(), .first = version->length, .size = size, .address = address};
    if (!size) return part;
    veer_touch_lazy(address, size);
    memcpy(version->bytes + part->first, (const void *)(uintptr_t)address, size);
    if (address < VEER_LOW_END) memcpy(version->words + part->first, veer_words(address), size * sizeof(uint32_t));
    else
        for (uint32_t k = 0; k < size; k++) version->words[part->first + k] = VEER_SHADOW_CONCRETE;
    version->length += size;
    return part;
}

void veer_version_left(const void *place, const struct veer_type *type, uint32_t kind, uint32_t number) {
    VEER_HOT->callee = 0;
    keep(kind, number, (uint64_t)(uintptr_t)place, type->size)->type = type;
}

/* How many bytes lie in one object from there on. */
static uint64_t room_at(uint64_t address) {
    if (address < VEER_NULL_END || address >= VEER_LOW_END) return 0;
    struct veer_found found = veer_find_object(address);
    return !found.region || veer_distance(address, found.base, found.size) ? 0 : found.base + found.size - address;
}

void veer_keep_call(uint32_t stub, const struct veer_argument *arguments, uint32_t count) {
    keep(VEER_PART_CALL, stub, 0, 0);
    for (uint32_t k = 0; k < count; k++) {
        const struct veer_argument *argument = &arguments[k];
        keep(VEER_PART_ARGUMENT, k, (uint64_t)(uintptr_t)argument->place, argument->size);
        uint32_t most = argument->most & ~VEER_IS_TEXT;
        if (!most) continue;
        uint64_t pointer = *(const uint64_t *)argument->place, room = room_at(pointer);
        struct veer_leaving *part = keep(VEER_PART_BEHIND, k, pointer, room < most ? (uint32_t)room : most);
        part->is_text = (argument->most & VEER_IS_TEXT) != 0;
    }
}

static void keep_object(uint32_t number) {
    const struct veer_input_object *object = &INPUT_OBJECTS->of[number];
    const struct veer_chunk *chunk = &CHUNKS->of[object->chunk];
    int is_there = chunk->state == VEER_CHUNK_LIVE;
    struct veer_leaving *part = keep(VEER_PART_OBJECT, number, chunk->address, is_there ? chunk->size : 0);
    part->type = object->pointer->target;
    part->is_freed = !is_there;
    part->site = VERSIONS->site;
}

void veer_keep_objects(void) {
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++)
        if (INPUT_OBJECTS->of[k].is_filled) keep_object(k);
}

/* Whether the old version has looked into the input object. */
static int has_seen(uint32_t number) {
    const struct veer_version *old = &LEFT_OVER->of[0];
    for (uint32_t k = 0; k < old->count; k++)
        if (old->parts[k].kind == VEER_PART_OBJECT && old->parts[k].number == number) return 1;
    return 0;
}

void veer_keep_unseen(void) {
    VERSIONS->is_second = 0;
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++) {
        struct veer_input_object *object = &INPUT_OBJECTS->of[k];
        if (!object->is_filled || has_seen(k)) continue;
        veer_fill_object(object, VERSIONS->site);
        keep_object(k);
    }
    VERSIONS->is_second = 1;
}
