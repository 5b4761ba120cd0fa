/* The unit's heap: a bump allocator without reuse within a run, so that a freed block stays unaddressable. Blocks lie in the order
   of addresses with at least 16 unaddressable bytes between them; their records are kept apart from the memory. */
#include "chunks.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "regions.h"
#include "endings.h"
#include "flow_control.h"
#include "flow_writes.h"
#include "flows.h"
#include "kernel.h"
#include "lazy.h"
#include "memory_map.h"
#include "refusals.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

/* Ranges from this size on are given back to the system instead of being cleared. */
#define LARGE (4u << 20)

/* Forgets all blocks of the last run. */
void veer_heap_begin(void) {
    uint64_t used = CHUNKS->top > VEER_HEAP_BEGIN ? CHUNKS->top - VEER_HEAP_BEGIN : 0;
    if (used > LARGE) {
        VEER_KERNEL(SYS_madvise, veer_words(VEER_HEAP_BEGIN), (used * 4 + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1), MADV_DONTNEED, 0, 0, 0);
        VEER_KERNEL(SYS_madvise, VEER_HEAP_BEGIN, (used + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1), MADV_DONTNEED, 0, 0, 0);
    } else {
        uint64_t position = veer_clear_lazy(VEER_HEAP_BEGIN);
        memset(veer_words(position), 0, (VEER_HEAP_BEGIN + used - position) * 4);
    }
    LAZY->count = 0;
    CHUNKS->top = (uint32_t)VEER_HEAP_BEGIN;
    CHUNKS->used = 0;
    CHUNKS->count = 0;
    CHUNKS->stretches = 0;
}

/* Called at the beginning of a run, before there are blocks: all lie behind this address. */
void veer_heap_from(uint64_t address) {
    VEER_HOT->callee = 0;
    if (CHUNKS->count || address < VEER_HEAP_BASE || address >= (uint64_t)VEER_HEAP_BASE + VEER_HEAP_SIZE)
        veer_refuse("memory of the machine where veer has no room for it");
    CHUNKS->skipped = (uint32_t)(address - VEER_HEAP_BASE);
    CHUNKS->top = (uint32_t)address;
}

/* Indexes the block at `address`, which is about to be appended. */
static void index_chunk(uint64_t address) {
    uint32_t stretch = (uint32_t)(address - VEER_HEAP_BEGIN) / VEER_HEAP_STRETCH;
    while (CHUNKS->stretches <= stretch) CHUNKS->first[CHUNKS->stretches++] = CHUNKS->count;
}

/* The block with the greatest address that is not behind `address`, or NULL. */
struct veer_chunk *veer_chunk_before(uint64_t address) {
    struct veer_chunk *chunks = CHUNKS->of;
    if (address < VEER_HEAP_BEGIN) return NULL;
    uint64_t stretch = (address - VEER_HEAP_BEGIN) / VEER_HEAP_STRETCH;
    uint32_t low = CHUNKS->count, high = CHUNKS->count;
    if (stretch < CHUNKS->stretches) low = CHUNKS->first[stretch];
    if (stretch + 1 < CHUNKS->stretches) high = CHUNKS->first[stretch + 1];
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (chunks[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low ? &chunks[low - 1] : NULL;
}

/* A new block of zeros, of which `size` bytes are to be addressable: the caller sets their words. `reserved` >= size addresses are
   kept for it. Ends the run at the limit. */
struct veer_chunk *veer_new_chunk(uint64_t size, uint64_t reserved, uint64_t alignment, uint32_t site) {
    uint64_t limit = VEER_CONTROL->heap_limit ? VEER_CONTROL->heap_limit : VEER_HEAP_SIZE / 4;
    if (reserved < size) reserved = size;
    if (alignment < 16) alignment = 16;
    if (limit > VEER_HEAP_SIZE) limit = VEER_HEAP_SIZE;
    if (reserved > limit || CHUNKS->used + reserved > limit || alignment > LARGE || CHUNKS->count >= VEER_MAX_CHUNKS)
        veer_end_run(VEER_OUTCOME_MEMORY_LIMIT, site, "the limit of the unit's heap is reached");
    uint64_t address = (CHUNKS->top + VEER_REDZONE + alignment - 1) & ~(alignment - 1);
    if (REGIONS->count) address = veer_behind_regions(address, reserved, alignment);
    uint64_t top = (address + reserved + VEER_REDZONE + 15) & ~15ull;
    if (top > (uint64_t)VEER_HEAP_BASE + VEER_HEAP_SIZE) veer_end_run(VEER_OUTCOME_MEMORY_LIMIT, site, "the unit's heap is full");
    veer_refuse_levels(VEER_REFUSAL_INPUT); /* what the program allocates has been refused before */
    index_chunk(address);
    struct veer_chunk *chunk = &CHUNKS->of[CHUNKS->count++];
    *chunk = (struct veer_chunk){.address = (uint32_t)address, .size = (uint32_t)size, .reserved = (uint32_t)reserved,
                                 .site = site, .state = VEER_CHUNK_LIVE};
    CHUNKS->top = (uint32_t)top;
    CHUNKS->used += reserved;
    if (!veer_make_lazy(address, size)) memset((void *)(uintptr_t)address, 0, size ? size : reserved);
    if (veer_has_flows() && veer_flow_total()) veer_flow_touch_state(VEER_FLOW_HEAP, 0, site);
    return chunk;
}
