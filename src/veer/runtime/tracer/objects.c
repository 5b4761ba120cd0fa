/* Which object an address belongs to, or is nearest to, and what an access outside of every object means. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tracer.h"

static uint64_t distance(uint64_t address, uint64_t base, uint64_t size) {
    if (address < base) return base - address;
    return address < base + size ? 0 : address - (base + size) + 1;
}

static struct veer_found from_chunk(struct veer_chunk *chunk) {
    struct veer_found found = {.base = chunk->address, .size = chunk->size, .capacity = chunk->size, .region = "heap", .chunk = chunk};
    if (chunk->extent) {
        found.extent = &TRACER->extents[chunk->extent - 1];
        found.capacity = chunk->reserved;
    }
    if (chunk->input_object) {
        found.input = &TRACER->input_objects[chunk->input_object - 1];
        found.capacity = chunk->reserved;
        found.region = "input";
    }
    return found;
}

static struct veer_found find_chunk(uint64_t address) {
    struct veer_found none = {0};
    struct veer_chunk *chunk = veer_chunk_before(address);
    struct veer_chunk *end = TRACER->chunks + TRACER->chunk_count;
    struct veer_chunk *next = chunk ? chunk + 1 : TRACER->chunks;
    while (next < end && next->state == VEER_CHUNK_RESERVED) next++;
    if (next >= end) next = NULL;
    while (chunk && chunk->state == VEER_CHUNK_RESERVED) chunk = chunk > TRACER->chunks ? chunk - 1 : NULL;
    if (!chunk && !next) return none;
    if (!chunk) return from_chunk(next);
    if (!next || distance(address, chunk->address, chunk->reserved) <= distance(address, next->address, next->reserved))
        return from_chunk(chunk);
    return from_chunk(next);
}

static struct veer_found from_global(const struct veer_global *global) {
    return (struct veer_found){.base = (uint64_t)(uintptr_t)global->address, .size = global->size, .capacity = global->size,
                               .region = global->writable ? "global" : "constant", .name = global->name};
}

static struct veer_found find_global(uint64_t address) {
    struct veer_found none = {0};
    const struct veer_global *global = veer_global_before(address), *end = TRACER->globals + TRACER->global_count;
    const struct veer_global *next = global ? global + 1 : TRACER->globals;
    if (next >= end) next = NULL;
    if (!global && !next) return none;
    if (!global) return from_global(next);
    if (!next || distance(address, (uint64_t)(uintptr_t)global->address, global->size) <=
                     distance(address, (uint64_t)(uintptr_t)next->address, next->size))
        return from_global(global);
    return from_global(next);
}

static struct veer_found find_local(uint64_t address) {
    struct veer_found best = {0};
    struct veer_local_frame *frame = veer_local_before(address);
    if (!frame) return best;
    const uint32_t *layout = frame->layout ? frame->layout : frame->single;
    uint64_t nearest = ~0ull;
    for (uint32_t k = 0; k < frame->count; k++) {
        uint64_t base = frame->base + layout[2 * k], size = layout[2 * k + 1], away = distance(address, base, size);
        if (away >= nearest) continue;
        nearest = away;
        best = (struct veer_found){.base = base, .size = size, .capacity = size, .region = "local"};
        if (frame->extent) {
            best.extent = &TRACER->extents[frame->extent - 1];
            best.capacity = frame->reserved;
        }
    }
    return best;
}

/* The object around the address, or the nearest one in the same region; region NULL when there is none. */
struct veer_found veer_find_object(uint64_t address) {
    struct veer_found none = {0};
    if (address >= VEER_HEAP_BASE && address < (uint64_t)VEER_HEAP_BASE + VEER_HEAP_SIZE) return find_chunk(address);
    if (address >= VEER_STACK_BASE && address < (uint64_t)VEER_STACK_BASE + VEER_STACK_SIZE) return find_local(address);
    if (address >= TRACER->image_begin && address < TRACER->image_end) return find_global(address);
    return none;
}

/* Memory that is neither the unit's nor veer's: libc's data, the native stack, copies of library variables in the image, the
   program break. Accesses are let through and are concrete. */
int veer_foreign(uint64_t address) {
    const struct veer_tracer *tracer = TRACER;
    if (address >= VEER_LOW_END) return !veer_own_address(address);
    if (address >= VEER_HEAP_BASE || address < tracer->image_begin) return 0;
    if (address >= tracer->data_begin && address < tracer->data_end) return 0;
    if (address >= tracer->const_begin && address < tracer->const_end) return 0;
    return address < tracer->image_end || address < (uint64_t)(uintptr_t)sbrk(0);
}

/* The words "4 bytes behind an object of 16 bytes (heap)". */
static void describe(char *text, size_t room, uint64_t address, const struct veer_found *found) {
    int before = (int64_t)(address - found->base) < 0; /* an address may have wrapped around */
    unsigned long long away = before ? found->base - address : address - found->base - found->size, size = found->size;
    const char *side = before ? "before" : "behind", *name = found->name ? found->name : "", *blank = found->name ? " " : "";
    if (away) snprintf(text, room, "%llu bytes %s an object of %llu bytes (%s%s%s)", away, side, size, found->region, blank, name);
    else snprintf(text, room, "right %s an object of %llu bytes (%s%s%s)", side, size, found->region, blank, name);
}

/* An access that no object of the unit's contains, its first bad byte at `address`, in the low 2 GiB. */
_Noreturn void veer_outside(uint64_t address, uint64_t size, int is_store, uint32_t site) {
    struct veer_found found = veer_find_object(address);
    const char *verb = is_store ? "write" : "read";
    if (address >= found.base + found.size) veer_behind_choice(&found, site);
    int expired = address >= VEER_STACK_BASE && address < TRACER->stack_end && address >= VEER_HOT->stack_pointer;
    uint32_t outcome = is_store ? VEER_OUTCOME_BOUNDS_WRITE : VEER_OUTCOME_BOUNDS_READ;
    int freed = found.chunk && found.chunk->state == VEER_CHUNK_FREED && address >= found.base && address < found.base + found.size;
    if (freed || expired) outcome = VEER_OUTCOME_USE_AFTER_FREE;
    else if (!found.region || distance(address, found.base, found.capacity) > (1u << 20)) outcome = VEER_OUTCOME_SEGFAULT_WILD;
    struct veer_report *report = veer_report_begin(outcome, site);
    report->address = address;
    report->object_base = found.base;
    report->object_size = found.size;
    if (expired) snprintf(report->message, sizeof report->message, "%llu-byte %s of an expired local variable", (unsigned long long)size, verb);
    else if (freed)
        snprintf(report->message, sizeof report->message, "%llu-byte %s at offset %llu of a freed object of %llu bytes",
                 (unsigned long long)size, verb, (unsigned long long)(address - found.base), (unsigned long long)found.size);
    else if (outcome == VEER_OUTCOME_SEGFAULT_WILD)
        snprintf(report->message, sizeof report->message, "%llu-byte %s at %#llx, where no object is", (unsigned long long)size, verb,
                 (unsigned long long)address);
    else {
        char where[80];
        describe(where, sizeof where, address, &found);
        snprintf(report->message, sizeof report->message, "%llu-byte %s, %s", (unsigned long long)size, verb, where);
    }
    veer_finish(outcome);
}

/* An access that started from `origin` and left it, wherever it landed: in another object it is as wrong. */
void veer_left_object(const struct veer_found *origin, uint64_t address, uint64_t size, int is_store, uint32_t site) {
    if (address >= origin->base) veer_behind_choice(origin, site);
    struct veer_report *report = veer_report_begin(is_store ? VEER_OUTCOME_BOUNDS_WRITE : VEER_OUTCOME_BOUNDS_READ, site);
    uint64_t end = origin->base + origin->size;
    char where[80];
    describe(where, sizeof where, address >= origin->base && address < end ? end : address, origin);
    report->address = address;
    report->object_base = origin->base;
    report->object_size = origin->size;
    snprintf(report->message, sizeof report->message, "%llu-byte %s, %s", (unsigned long long)size, is_store ? "write" : "read", where);
    veer_finish(report->outcome);
}

/* An access whose first bad byte is at `address`: decides what bug it is and ends the run. */
void veer_bad_access(uint64_t address, uint64_t size, int is_store, uint32_t site) {
    if (address >= VEER_NULL_END && address < VEER_LOW_END) {
        struct veer_found found = veer_find_object(address);
        if (found.input && address >= found.base && address - found.base < found.capacity)
            veer_element_exists(found.input, (address - found.base) / found.input->element_size, VEER_KIND_CHECK, site);
        veer_outside(address, size, is_store, site);
    }
    int null = address < VEER_NULL_END;
    struct veer_report *report = veer_report_begin(null ? VEER_OUTCOME_SEGFAULT_NULL : VEER_OUTCOME_SEGFAULT_WILD, site);
    report->address = address;
    snprintf(report->message, sizeof report->message, "%llu-byte %s at %#llx", (unsigned long long)size, is_store ? "write" : "read",
             (unsigned long long)address);
    veer_finish(report->outcome);
}
