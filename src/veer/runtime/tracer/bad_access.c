/* Accesses outside of every object, or of the one that they were meant for: what bug it is, in words. */
#include "bad_access.h"

#include <stdio.h>

#include "chunks.h"
#include "elements.h"
#include "endings.h"
#include "found.h"
#include "growth.h"
#include "input_objects.h"
#include "mapped.h"
#include "memory_map.h"
#include "objects.h"
#include "stack.h"
#include "veer_runtime.h"

/* The words "4 bytes behind an object of 16 bytes (heap)". */
static void describe(char *text, size_t room, uint64_t address, const struct veer_found *found) {
    int before = (int64_t)(address - found->base) < 0; /* an address may have wrapped around */
    unsigned long long away = before ? found->base - address : address - found->base - found->size, size = found->size;
    const char *side = before ? "before" : "behind", *name = found->name ? found->name : "", *blank = found->name ? " " : "";
    if (away) snprintf(text, room, "%llu bytes %s an object of %llu bytes (%s%s%s)", away, side, size, found->region, blank, name);
    else snprintf(text, room, "right %s an object of %llu bytes (%s%s%s)", side, size, found->region, blank, name);
}

/* A larger input might have contained the access: the one that lies there, or any, if it is none that the access is meant for. */
static void meet_bounds(const struct veer_found *found) {
    if (found->input) veer_meet_bound(found->input->pointer->bound);
    if (found->input && found->input->pointer->longer) veer_meet_bound(found->input->pointer->longer);
    if (found->input || (found->region && !found->chunk)) return;
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++) veer_meet_bound(INPUT_OBJECTS->of[k].pointer->bound);
}

/* An access that no object of the unit's contains, its first bad byte at `address`, in the low 2 GiB. */
_Noreturn void veer_outside(uint64_t address, uint64_t size, int is_store, uint32_t site) {
    struct veer_found found = veer_find_object(address);
    const char *verb = is_store ? "write" : "read";
    veer_require_stack(address);
    meet_bounds(&found);
    if (address >= found.base + found.size) veer_behind_choice(&found, site);
    int expired = address >= VEER_STACK_BASE && address < STACK->end && address >= VEER_HOT->stack_pointer;
    uint32_t outcome = is_store ? VEER_OUTCOME_BOUNDS_WRITE : VEER_OUTCOME_BOUNDS_READ;
    int freed = found.chunk && found.chunk->state == VEER_CHUNK_FREED && address >= found.base && address < found.base + found.size;
    if (freed || expired) outcome = VEER_OUTCOME_USE_AFTER_FREE;
    else if (!found.region || veer_distance(address, found.base, found.capacity) > (1u << 20)) outcome = VEER_OUTCOME_SEGFAULT_WILD;
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
    meet_bounds(origin);
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

/* An access at an address that is a number, wherever it landed outside of objects. */
void veer_wild(uint64_t address, uint64_t size, int is_store, uint32_t site) {
    if (address < VEER_NULL_END) veer_bad_access(address, size, is_store, site);
    veer_require_stack(address);
    struct veer_report *report = veer_report_begin(VEER_OUTCOME_SEGFAULT_WILD, site);
    report->address = address;
    snprintf(report->message, sizeof report->message, "%llu-byte %s at %#llx, a number and no pointer", (unsigned long long)size,
             is_store ? "write" : "read", (unsigned long long)address);
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
