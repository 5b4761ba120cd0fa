/* One of two versions of the entry (`veer compare`), and what lies where they differ. */
#include <stdlib.h>
#include <string.h>

#include "replay.h"
#include "veer_wire.h"

enum { UNWRITTEN_OLD = 0xa5, UNWRITTEN_NEW = 0x5b };

void veer_call_version(void (*old_version)(void), void (*new_version)(void)) { (veer_replay_data->version ? new_version : old_version)(); }

void veer_replay_witness(uint32_t kind, uint32_t number, const void *place) {
    const struct veer_replay_header *data = veer_replay_data;
    uint64_t at = (uint64_t)(uintptr_t)place;
    if (!data->size || data->kind != kind || data->number != number) return;
    for (uint32_t k = 0; k < data->step_count; k++) {
        if (k && veer_replay_readable(at, sizeof at) < sizeof at) return; /* no pointer is there */
        if (k) memcpy(&at, (const void *)(uintptr_t)at, sizeof at);
        at += data->steps[k];
    }
    if (veer_replay_readable(at, data->size) == data->size)
        veer_replay_output(VEER_OUTPUTKIND_WITNESS, 0, (const void *)(uintptr_t)at, data->size);
}

void veer_version_left(const void *place, const struct veer_type *type, uint32_t kind, uint32_t number) {
    (void)type;
    veer_replay_witness(kind, number, place);
}

/* The number of the input object that begins there; 0 = none does. */
static uint32_t object_at(const void *block) {
    for (uint32_t number = 1; block && number <= veer_replay_data->object_count; number++)
        if (veer_replay_address(number) == block) return number;
    return 0;
}

void *veer_replay_malloc(size_t size);
void *veer_replay_aligned_alloc(size_t alignment, size_t size);
void veer_replay_free(void *block);
void *veer_replay_realloc(void *block, size_t size);

/* Memory that nobody has written may hold anything: here something else in each version, so that a lost write is seen. */
static void *filled(void *block, size_t size) {
    return block ? memset(block, veer_replay_data->version ? UNWRITTEN_NEW : UNWRITTEN_OLD, size) : NULL;
}

void *veer_replay_malloc(size_t size) { return filled(malloc(size), size); }

void *veer_replay_aligned_alloc(size_t alignment, size_t size) { return filled(aligned_alloc(alignment, size), size); }

/* An input object that is freed stays where it is, so that it can be told; freed twice it is the C library's affair. */
void veer_replay_free(void *block) {
    uint32_t number = object_at(block);
    if (!number) {
        free(block);
    } else if (veer_replay_is_freed(number)) {
        free(block);
        free(block);
    } else {
        veer_replay_note_freed(number);
    }
}

void *veer_replay_realloc(void *block, size_t size) {
    uint32_t number = object_at(block);
    if (!number || veer_replay_is_freed(number)) return realloc(block, size);
    size_t before = veer_replay_object(number)->size;
    void *moved = malloc(size);
    if (!moved) return NULL;
    memcpy(moved, block, before < size ? before : size);
    veer_replay_note_freed(number);
    return moved;
}
