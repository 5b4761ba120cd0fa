/* Blocks and open streams that nothing leads to at a normal return. */
#include "leaks.h"

#include <string.h>

#include "chunks.h"
#include "endings.h"
#include "globals.h"
#include "run.h"
#include "sequence.h"
#include "sites.h"
#include "veer_runtime.h"
#include "veer_shared.h"

void veer_leaks_begin(void) { OPEN_STREAMS->count = 0; }

void veer_stream_begins(const void *stream, unsigned long size) {
    if (OPEN_STREAMS->count == VEER_MOST_OPEN_STREAMS) return;
    OPEN_STREAMS->of[OPEN_STREAMS->count++] = (struct veer_open_stream){(uint64_t)(uintptr_t)stream, (uint32_t)size, veer_user_site(veer_here()), 0};
}

void veer_stream_ends(const void *stream) {
    for (uint32_t k = 0; k < OPEN_STREAMS->count; k++)
        if (OPEN_STREAMS->of[k].address == (uint64_t)(uintptr_t)stream) {
            OPEN_STREAMS->of[k] = OPEN_STREAMS->of[--OPEN_STREAMS->count];
            return;
        }
}

/* Something has this address. */
void veer_hold_stream(uint64_t address) {
    for (uint32_t k = 0; k < OPEN_STREAMS->count; k++)
        if (address - OPEN_STREAMS->of[k].address < OPEN_STREAMS->of[k].size) OPEN_STREAMS->of[k].is_held = 1;
}

/* Marks the blocks that the aligned words of a range point into; returns how many were new. */
static uint32_t mark_from(uint64_t begin, uint64_t end) {
    uint32_t found = 0;
    for (uint64_t place = (begin + 7) & ~7ull; place + 8 <= end; place += 8) {
        uint64_t value = *(const uint64_t *)(uintptr_t)place;
        veer_hold_stream(value);
        if (value < VEER_HEAP_BASE || value >= CHUNKS->top) continue;
        struct veer_chunk *chunk = veer_chunk_before(value);
        if (!chunk || chunk->marked || value - chunk->address > chunk->size) continue;
        chunk->marked = 1;
        found++;
    }
    return found;
}

static void leaks(uint32_t site, uint64_t base, uint64_t size, const char *message) {
    struct veer_report *report = veer_report_begin(VEER_OUTCOME_LEAK, site);
    report->object_base = base;
    report->object_size = size;
    strncpy(report->message, message, sizeof report->message - 1);
    veer_finish(VEER_OUTCOME_LEAK);
}

/* At a normal return: a block of the unit's that was not freed and that no global, no input, no result, no block that was
   given away and no such block points into is a leak. So is a stream that nothing points to. */
void veer_check_leaks(void) {
    const uint8_t *result = VEER_REGION(uint8_t, RESULT);
    uint32_t found = 1;
    for (uint32_t k = 0; k < CHUNKS->count; k++) CHUNKS->of[k].marked = CHUNKS->of[k].input_object != 0 || CHUNKS->of[k].given;
    for (uint32_t k = 0; k < GLOBALS->count; k++) {
        uint64_t base = (uint64_t)(uintptr_t)GLOBALS->of[k].address;
        if (GLOBALS->of[k].writable) mark_from(base, base + GLOBALS->of[k].size);
    }
    mark_from((uint64_t)(uintptr_t)result, (uint64_t)(uintptr_t)result + VEER_CONTROL->result_length);
    for (uint32_t k = 0; k < SEQUENCES->count; k++) {
        uint64_t place = (uint64_t)(uintptr_t)&SEQUENCES->objects[k].address;
        if (!SEQUENCES->objects[k].ended) mark_from(place, place + 8);
    }
    while (found) { /* until nothing new is reached; blocks mostly point to later ones */
        found = 0;
        for (uint32_t k = 0; k < CHUNKS->count; k++) {
            struct veer_chunk *chunk = &CHUNKS->of[k];
            if (chunk->marked != 1) continue;
            chunk->marked = 2;
            if (chunk->state == VEER_CHUNK_LIVE) found += mark_from(chunk->address, (uint64_t)chunk->address + chunk->size);
        }
    }
    for (uint32_t k = 0; k < CHUNKS->count; k++) {
        struct veer_chunk *chunk = &CHUNKS->of[k];
        if (chunk->marked || chunk->state != VEER_CHUNK_LIVE) continue;
        leaks(chunk->site, chunk->address, chunk->size, "the object was not freed and nothing points to it");
    }
    for (uint32_t k = 0; k < OPEN_STREAMS->count; k++) {
        struct veer_open_stream *stream = &OPEN_STREAMS->of[k];
        if (!stream->is_held) leaks(stream->site, stream->address, stream->size, "the stream was not closed and nothing points to it");
    }
}
