/* Which object an address belongs to, or is nearest to. */
#include "objects.h"

#include <unistd.h>

#include "chunks.h"
#include "extents.h"
#include "globals.h"
#include "image.h"
#include "input_objects.h"
#include "mapped.h"
#include "memory_map.h"
#include "stack.h"

static struct veer_found from_chunk(struct veer_chunk *chunk) {
    struct veer_found found = {.base = chunk->address, .size = chunk->size, .capacity = chunk->size, .region = "heap", .chunk = chunk};
    if (chunk->extent) {
        found.extent = &EXTENTS->of[chunk->extent - 1];
        found.capacity = chunk->reserved;
    }
    if (chunk->input_object) {
        found.input = &INPUT_OBJECTS->of[chunk->input_object - 1];
        found.capacity = chunk->reserved;
        found.region = "input";
    }
    return found;
}

static struct veer_found find_chunk(uint64_t address) {
    struct veer_found none = {0};
    struct veer_chunk *chunk = veer_chunk_before(address);
    struct veer_chunk *end = CHUNKS->of + CHUNKS->count;
    struct veer_chunk *next = chunk ? chunk + 1 : CHUNKS->of;
    while (next < end && next->state == VEER_CHUNK_RESERVED) next++;
    if (next >= end) next = NULL;
    while (chunk && chunk->state == VEER_CHUNK_RESERVED) chunk = chunk > CHUNKS->of ? chunk - 1 : NULL;
    if (!chunk && !next) return none;
    if (!chunk) return from_chunk(next);
    if (!next || veer_distance(address, chunk->address, chunk->reserved) <= veer_distance(address, next->address, next->reserved))
        return from_chunk(chunk);
    return from_chunk(next);
}

/* Whether it is what the header of the first block would have: `(struct header *)p - 1`. */
static int is_ahead_of_heap(uint64_t address) { return address < VEER_HEAP_BEGIN && VEER_HEAP_BEGIN - address <= VEER_PAGE; }

static struct veer_found find_local(uint64_t address) {
    struct veer_found best = {0};
    struct veer_local_frame *frame = veer_local_before(address);
    if (!frame) return best;
    const uint32_t *layout = frame->layout ? frame->layout : frame->single;
    uint64_t nearest = ~0ull;
    for (uint32_t k = 0; k < frame->count; k++) {
        uint64_t base = frame->base + layout[2 * k], size = layout[2 * k + 1], away = veer_distance(address, base, size);
        if (away >= nearest) continue;
        nearest = away;
        best = (struct veer_found){.base = base, .size = size, .capacity = size, .region = "local"};
        if (frame->extent) {
            best.extent = &EXTENTS->of[frame->extent - 1];
            best.capacity = frame->reserved;
        }
    }
    return best;
}

/* The object around the address, or the nearest one in the same region; region NULL when there is none. */
struct veer_found veer_find_object(uint64_t address) {
    if (address >= VEER_HEAP_BEGIN && address < (uint64_t)VEER_HEAP_BASE + VEER_HEAP_SIZE) return find_chunk(address);
    if (address >= VEER_STACK_BASE && address < (uint64_t)VEER_STACK_BASE + VEER_STACK_SIZE) return find_local(address);
    if (address >= IMAGE->begin && address < IMAGE->end) return veer_find_global(address);
    struct veer_found found = veer_find_mapped(address);
    return !found.region && is_ahead_of_heap(address) ? find_chunk(address) : found;
}

/* Memory that is neither the unit's nor veer's: libc's data, the native stack, copies of library variables in the image, the
   program break. Accesses are let through and are concrete. */
int veer_foreign(uint64_t address) {
    if (address >= VEER_LOW_END) return !veer_own_address(address);
    if (address >= VEER_HEAP_BASE || address < IMAGE->begin) return 0;
    if (address >= IMAGE->data_begin && address < IMAGE->data_end) return 0;
    if (address >= IMAGE->const_begin && address < IMAGE->const_end) return 0;
    return address < IMAGE->end || (address >= IMAGE->break_begin && address < (uint64_t)(uintptr_t)sbrk(0));
}
