/* The unit's heap: a bump allocator without reuse within a run, so that a freed block stays unaddressable. Blocks lie in the order
   of addresses with at least 16 unaddressable bytes between them; their records are kept apart from the memory. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "flows.h"
#include "tracer.h"

/* Ranges from this size on are given back to the system instead of being cleared. */
#define LARGE (4u << 20)

/* Forgets all blocks of the last run. */
void veer_heap_begin(void) {
    struct veer_tracer *tracer = TRACER;
    uint64_t used = tracer->heap_top > VEER_HEAP_BASE ? tracer->heap_top - VEER_HEAP_BASE : 0;
    if (used > LARGE) {
        madvise(veer_words(VEER_HEAP_BASE), (used * 4 + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1), MADV_DONTNEED);
        madvise((void *)(uintptr_t)VEER_HEAP_BASE, (used + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1), MADV_DONTNEED);
    } else {
        memset(veer_words(VEER_HEAP_BASE), 0, used * 4);
    }
    tracer->heap_top = VEER_HEAP_BASE;
    tracer->heap_used = 0;
    tracer->chunk_count = 0;
    tracer->extent_count = 0;
    tracer->heap_stretches = 0;
}

/* Indexes the block at `address`, which is about to be appended. */
static void index_chunk(uint64_t address) {
    struct veer_tracer *tracer = TRACER;
    uint32_t stretch = (uint32_t)(address - VEER_HEAP_BASE) / VEER_HEAP_STRETCH;
    while (tracer->heap_stretches <= stretch) tracer->first_chunks[tracer->heap_stretches++] = tracer->chunk_count;
}

/* The block with the greatest address that is not behind `address`, or NULL. */
struct veer_chunk *veer_chunk_before(uint64_t address) {
    const struct veer_tracer *tracer = TRACER;
    struct veer_chunk *chunks = TRACER->chunks;
    if (address < VEER_HEAP_BASE) return NULL;
    uint64_t stretch = (address - VEER_HEAP_BASE) / VEER_HEAP_STRETCH;
    uint32_t low = tracer->chunk_count, high = tracer->chunk_count;
    if (stretch < tracer->heap_stretches) low = tracer->first_chunks[stretch];
    if (stretch + 1 < tracer->heap_stretches) high = tracer->first_chunks[stretch + 1];
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (chunks[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low ? &chunks[low - 1] : NULL;
}

/* A new block of zeros, `size` bytes of it addressable, `reserved` >= size addresses kept for it. Ends the run at the limit. */
struct veer_chunk *veer_new_chunk(uint64_t size, uint64_t reserved, uint64_t alignment, uint32_t site) {
    struct veer_tracer *tracer = TRACER;
    uint64_t limit = VEER_CONTROL->heap_limit ? VEER_CONTROL->heap_limit : VEER_HEAP_SIZE / 4;
    if (reserved < size) reserved = size;
    if (alignment < 16) alignment = 16;
    if (limit > VEER_HEAP_SIZE) limit = VEER_HEAP_SIZE;
    if (reserved > limit || tracer->heap_used + reserved > limit || alignment > LARGE || tracer->chunk_count >= VEER_MAX_CHUNKS)
        veer_end_run(VEER_OUTCOME_MEMORY_LIMIT, site, "the limit of the unit's heap is reached");
    uint64_t address = (tracer->heap_top + VEER_REDZONE + alignment - 1) & ~(alignment - 1);
    uint64_t top = (address + reserved + VEER_REDZONE + 15) & ~15ull;
    if (top > (uint64_t)VEER_HEAP_BASE + VEER_HEAP_SIZE) veer_end_run(VEER_OUTCOME_MEMORY_LIMIT, site, "the unit's heap is full");
    veer_refuse_levels(VEER_REFUSAL_INPUT); /* what the program allocates has been refused before */
    index_chunk(address);
    struct veer_chunk *chunk = &tracer->chunks[tracer->chunk_count++];
    *chunk = (struct veer_chunk){.address = (uint32_t)address, .size = (uint32_t)size, .reserved = (uint32_t)reserved,
                                 .site = site, .state = VEER_CHUNK_LIVE};
    tracer->heap_top = (uint32_t)top;
    tracer->heap_used += reserved;
    memset((void *)(uintptr_t)address, 0, size ? size : reserved);
    veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
    if (veer_has_flows() && veer_flow_total()) veer_flow_touch_state(VEER_FLOW_HEAP, 0, site);
    return chunk;
}

/* What glibc refuses at once. */
static void *too_large(void) {
    errno = ENOMEM;
    return NULL;
}

static void *allocate(uint64_t size, uint64_t alignment) {
    veer_refuse_levels(VEER_REFUSAL_HEAP);
    if (size > INT64_MAX) return too_large();
    return (void *)(uintptr_t)veer_new_chunk(size, size, alignment, veer_here())->address;
}

/* A block whose size is a term. Sizes above a quarter of the heap are the limit's, not the program's. */
static void *allocate_symbolic(uint64_t size, uint32_t term, uint64_t alignment) {
    uint32_t site = veer_here();
    uint64_t limit = VEER_CONTROL->heap_limit && VEER_CONTROL->heap_limit < VEER_HEAP_SIZE ? VEER_CONTROL->heap_limit : VEER_HEAP_SIZE;
    const uint64_t bounds[] = {4096, 1 << 20, limit / 4, 0}, possible[] = {INT64_MAX, 0};
    uint64_t reserved = veer_size_class(term, size, bounds, site);
    if (!reserved) {
        if (!veer_size_class(term, size, possible, site)) return too_large();
        veer_end_run(VEER_OUTCOME_MEMORY_LIMIT, site, "the limit of the unit's heap is reached");
    }
    uint32_t extent = veer_new_extent(term, size, site);
    struct veer_chunk *chunk = veer_new_chunk(size, extent ? reserved : size, alignment, site);
    chunk->extent = extent;
    if (extent) veer_mark_untouched(chunk->address, size);
    return (void *)(uintptr_t)chunk->address;
}

static int has_term(uint32_t shadow) {
    return veer_symbolic(shadow) && VEER_NODES[shadow].op != VEER_OP_CONST && VEER_NODES[shadow].width == 64 && !veer_past_bound();
}

/* A block of `size` bytes, symbolic or not. */
static void *allocate_any(uint64_t size, uint32_t shadow, uint64_t alignment) {
    if (!has_term(shadow)) return allocate(size, alignment);
    veer_verify(shadow, size);
    return allocate_symbolic(size, shadow, alignment);
}

VEER_MARKED(void *, veer_malloc, uint64_t size) {
    uint32_t shadow = veer_argument((void *)veer_malloc, 0);
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_malloc);
    return allocate_any(size, shadow, 16);
}

/* The term of count * size for a symbolic count, decided not to overflow; 0 = it does. */
static uint32_t product(uint32_t count_term, uint64_t count, uint64_t size) {
    const uint64_t bounds[] = {size ? UINT64_MAX / size : UINT64_MAX, 0};
    uint32_t factor = veer_constant(64, size);
    if (!veer_size_class(count_term, count, bounds, veer_here()) || !factor) return 0;
    return veer_expression(VEER_OP_MUL, 64, count_term, factor, 0);
}

VEER_MARKED(void *, veer_calloc, uint64_t count, uint64_t size) {
    uint64_t bytes;
    uint32_t first = veer_argument((void *)veer_calloc, 0), second = veer_argument((void *)veer_calloc, 1), term = 0;
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_calloc);
    if (has_term(first)) {
        veer_pin(second, size, 64, veer_here());
        term = product(first, count, size);
    } else if (has_term(second)) {
        term = product(second, size, count);
    }
    if (__builtin_mul_overflow(count, size, &bytes)) return too_large();
    return allocate_any(bytes, term, 16);
}

VEER_MARKED(void *, veer_aligned_alloc, uint64_t alignment, uint64_t size) {
    uint32_t first = veer_argument((void *)veer_aligned_alloc, 0), second = veer_argument((void *)veer_aligned_alloc, 1);
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_aligned_alloc);
    veer_pin(first, alignment, 64, veer_here());
    veer_pin(second, size, 64, veer_here());
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return allocate(size, alignment);
}

/* A pointer that free or realloc was given and that is no live block of the heap. */
static _Noreturn void bad_free(uint64_t address, const struct veer_chunk *chunk) {
    int twice = chunk && chunk->address == address && chunk->state == VEER_CHUNK_FREED;
    struct veer_report *report = veer_report_begin(twice ? VEER_OUTCOME_DOUBLE_FREE : VEER_OUTCOME_BAD_FREE, veer_here());
    struct veer_found found = veer_find_object(address);
    const char *text = twice ? "the object was freed before" : found.chunk ? "a pointer into the middle of an object is freed"
                       : found.region ? "an object that is not on the heap is freed" : "a pointer to no object is freed";
    report->address = address;
    report->object_base = found.base;
    report->object_size = found.size;
    strncpy(report->message, text, sizeof report->message - 1);
    veer_finish(report->outcome);
}

/* The live block at the address; NULL for memory that libc's malloc gave. */
static struct veer_chunk *block_at(uint64_t address) {
    struct veer_chunk *chunk = veer_chunk_before(address);
    int in_heap = address >= VEER_HEAP_BASE && address < (uint64_t)VEER_HEAP_BASE + VEER_HEAP_SIZE;
    if (in_heap && chunk && chunk->address == address && chunk->state == VEER_CHUNK_LIVE) return chunk;
    int librarys = address >= VEER_LOW_END ? veer_foreign(address) : address >= TRACER->image_end && veer_foreign(address);
    if (!librarys) bad_free(address, in_heap ? chunk : NULL);
    return NULL;
}

static void release(struct veer_chunk *chunk, uint32_t site) {
    veer_refuse_levels(VEER_REFUSAL_HEAP);
    chunk->state = VEER_CHUNK_FREED;
    chunk->freed_site = site;
    veer_fill_words(chunk->address, chunk->size, VEER_SHADOW_UNADDRESSABLE);
    if (veer_has_flows()) veer_flow_freed(chunk->address, chunk->size, site);
}

VEER_MARKED(void, veer_free, void *object) {
    if (object) veer_refuse_levels(VEER_REFUSAL_HEAP);
    uint64_t address = (uint64_t)(uintptr_t)object;
    uint32_t shadow = veer_argument((void *)veer_free, 0);
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_note(veer_flow_argument((void *)veer_free, 0), veer_here()), VEER_FLOWS->callee = 0;
    veer_pin(shadow, address, 64, veer_here());
    if (!object) return;
    struct veer_chunk *chunk = block_at(address);
    if (chunk) release(chunk, veer_here());
    else free(object);
}

static uint32_t is_zero(uint32_t term) {
    uint32_t zero = veer_constant(64, 0);
    return zero ? veer_expression(VEER_OP_EQ, 1, term, zero, 0) : 0;
}

/* Decides whether the block grows (or keeps its size); a symbolic size that is smaller is fixed, and no term any more. */
static int grows(const struct veer_chunk *chunk, uint64_t size, uint32_t *shadow) {
    struct veer_sized *extent = chunk->extent ? &TRACER->extents[chunk->extent - 1] : NULL;
    uint32_t old = extent ? extent->term : veer_constant(64, chunk->size), site = veer_here();
    uint32_t fresh = *shadow ? *shadow : veer_constant(64, size);
    int holds = chunk->size <= size;
    if (extent || *shadow)
        veer_event(VEER_KIND_GUARD, old && fresh ? veer_expression(VEER_OP_ULE, 1, old, fresh, 0) : 0, (uint32_t)holds, site);
    if (!holds && *shadow) {
        veer_pin(*shadow, size, 64, site);
        *shadow = 0;
    }
    return holds;
}

/* Moves the first `kept` bytes of a block to another one with their words. Bytes that exist only if a size says so exist for sure
   in a block of concrete size. */
static void move_block(const struct veer_chunk *from, struct veer_chunk *to, uint64_t kept) {
    memcpy((void *)(uintptr_t)to->address, (const void *)(uintptr_t)from->address, kept);
    memcpy(veer_words(to->address), veer_words(from->address), kept * 4);
    if (veer_has_flows()) veer_flow_kept(to->address, from->address, kept);
    if (!from->extent) {
        if (to->extent) TRACER->extents[to->extent - 1].known = kept;
        return;
    }
    if (to->extent) return;
    uint32_t *words = veer_words(to->address);
    for (uint64_t k = 0; k < kept; k++)
        if (words[k] == TRACER->untouched) words[k] = VEER_SHADOW_CONCRETE;
}

VEER_MARKED(void *, veer_realloc, void *old, uint64_t size) {
    uint64_t address = (uint64_t)(uintptr_t)old;
    uint32_t first = veer_argument((void *)veer_realloc, 0), shadow = veer_argument((void *)veer_realloc, 1), site = veer_here();
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_realloc);
    veer_pin(first, address, 64, site);
    if (!has_term(shadow)) shadow = 0;
    if (!old) return allocate_any(size, shadow, 16);
    struct veer_chunk *chunk = block_at(address);
    if (shadow && (!chunk || chunk->input_object)) {
        veer_pin(shadow, size, 64, site);
        shadow = 0;
    }
    if (!chunk) return realloc(old, size);
    if (shadow) veer_event(VEER_KIND_GUARD, is_zero(shadow), size == 0, site);
    if (size == 0) {
        release(chunk, site);
        return NULL;
    }
    if (size > INT64_MAX && !shadow) return too_large();
    int growing = grows(chunk, size, &shadow);
    uint64_t kept = growing ? chunk->size : size;
    veer_end_is_seen(chunk, size, site); /* first: a run in which the block is longer must ask the same */
    if (!chunk->extent) veer_touch_range(address, kept, site);
    uint64_t fresh = (uint64_t)(uintptr_t)allocate_any(size, shadow, 16);
    if (!fresh) return NULL;
    move_block(chunk, veer_chunk_before(fresh), kept);
    release(chunk, site);
    return (void *)(uintptr_t)fresh;
}

/* Marks the blocks that the aligned words of a range point into; returns how many were new. */
static uint32_t mark_from(uint64_t begin, uint64_t end) {
    uint32_t found = 0;
    for (uint64_t place = (begin + 7) & ~7ull; place + 8 <= end; place += 8) {
        uint64_t value = *(const uint64_t *)(uintptr_t)place;
        if (value < VEER_HEAP_BASE || value >= TRACER->heap_top) continue;
        struct veer_chunk *chunk = veer_chunk_before(value);
        if (!chunk || chunk->marked || value - chunk->address > chunk->size) continue;
        chunk->marked = 1;
        found++;
    }
    return found;
}

/* At a normal return: a block of the unit's that was not freed and that no global, no input, no result and no such block
   points into is a leak. */
void veer_check_leaks(void) {
    struct veer_tracer *tracer = TRACER;
    const uint8_t *result = VEER_REGION(uint8_t, RESULT);
    uint32_t found = 1;
    for (uint32_t k = 0; k < tracer->chunk_count; k++) tracer->chunks[k].marked = tracer->chunks[k].input_object != 0;
    for (uint32_t k = 0; k < tracer->global_count; k++) {
        uint64_t base = (uint64_t)(uintptr_t)tracer->globals[k].address;
        if (tracer->globals[k].writable) mark_from(base, base + tracer->globals[k].size);
    }
    mark_from((uint64_t)(uintptr_t)result, (uint64_t)(uintptr_t)result + VEER_CONTROL->result_length);
    mark_from((uint64_t)(uintptr_t)tracer->pools, (uint64_t)(uintptr_t)(tracer->pools + tracer->pool_count));
    while (found) { /* until nothing new is reached; blocks mostly point to later ones */
        found = 0;
        for (uint32_t k = 0; k < tracer->chunk_count; k++) {
            struct veer_chunk *chunk = &tracer->chunks[k];
            if (chunk->marked != 1) continue;
            chunk->marked = 2;
            if (chunk->state == VEER_CHUNK_LIVE) found += mark_from(chunk->address, (uint64_t)chunk->address + chunk->size);
        }
    }
    for (uint32_t k = 0; k < tracer->chunk_count; k++) {
        struct veer_chunk *chunk = &tracer->chunks[k];
        if (chunk->marked || chunk->state != VEER_CHUNK_LIVE) continue;
        struct veer_report *report = veer_report_begin(VEER_OUTCOME_LEAK, chunk->site);
        report->object_base = chunk->address;
        report->object_size = chunk->size;
        strncpy(report->message, "the object was not freed and nothing points to it", sizeof report->message - 1);
        veer_finish(VEER_OUTCOME_LEAK);
    }
}
