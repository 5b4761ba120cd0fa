/* The C library's allocator on the unit's heap (chunks.c). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "bounds.h"
#include "calling.h"
#include "chunks.h"
#include "elements.h"
#include "endings.h"
#include "engine/arena.h"
#include "events.h"
#include "extents.h"
#include "flow_control.h"
#include "flow_map.h"
#include "flow_models.h"
#include "flows.h"
#include "found.h"
#include "image.h"
#include "lazy.h"
#include "memory_map.h"
#include "objects.h"
#include "refusals.h"
#include "sites.h"
#include "uninitialised.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

/* What glibc refuses at once. */
static void *too_large(void) {
    errno = ENOMEM;
    return NULL;
}

static void *allocate(uint64_t size, uint64_t alignment, int is_zeroed) {
    veer_refuse_levels(VEER_REFUSAL_HEAP);
    if (size > INT64_MAX) return too_large();
    uint32_t site = veer_user_site(veer_here());
    uint64_t address = veer_new_chunk(size, size, alignment, site)->address;
    if (veer_is_lazy(address)) return (void *)(uintptr_t)address;
    if (is_zeroed) veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
    else veer_mark_unwritten(address, size, veer_unwritten_block(site));
    return (void *)(uintptr_t)address;
}

/* A block whose size is a term. Sizes above a quarter of the heap are the limit's, not the program's. Words of a value that nobody
   has written take the slow path as those of untouched bytes do. */
static void *allocate_symbolic(uint64_t size, uint32_t term, uint64_t alignment, int is_zeroed) {
    uint32_t site = veer_user_site(veer_here());
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
    if (is_zeroed) veer_fill_words(chunk->address, size, VEER_SHADOW_CONCRETE);
    else veer_mark_unwritten(chunk->address, size, veer_unwritten_block(site));
    if (extent) veer_mark_untouched(chunk->address, size);
    return (void *)(uintptr_t)chunk->address;
}

static int has_term(uint32_t shadow) {
    return veer_symbolic(shadow) && VEER_NODES[shadow].op != VEER_OP_CONST && VEER_NODES[shadow].width == 64 && !veer_past_bound();
}

/* A block of `size` bytes, symbolic or not. */
static void *allocate_any(uint64_t size, uint32_t shadow, uint64_t alignment, int is_zeroed) {
    if (!has_term(shadow)) return allocate(size, alignment, is_zeroed);
    veer_verify(shadow, size);
    return allocate_symbolic(size, shadow, alignment, is_zeroed);
}

VEER_MARKED(void *, veer_malloc, uint64_t size) {
    uint32_t shadow = veer_argument((void *)veer_malloc, 0);
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_malloc, 1);
    return allocate_any(size, shadow, 16, 0);
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
    if (veer_has_flows()) veer_flow_allocated((void *)veer_calloc, 2);
    if (has_term(first)) {
        veer_pin(second, size, 64, veer_here());
        term = product(first, count, size);
    } else if (has_term(second)) {
        term = product(second, size, count);
    }
    if (__builtin_mul_overflow(count, size, &bytes)) return too_large();
    return allocate_any(bytes, term, 16, 1);
}

VEER_MARKED(void *, veer_aligned_alloc, uint64_t alignment, uint64_t size) {
    uint32_t first = veer_argument((void *)veer_aligned_alloc, 0), second = veer_argument((void *)veer_aligned_alloc, 1);
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_aligned_alloc, 2);
    veer_pin(first, alignment, 64, veer_here());
    veer_pin(second, size, 64, veer_here());
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return allocate(size, alignment, 0);
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
    int librarys = address >= VEER_LOW_END ? veer_foreign(address) : address >= IMAGE->end && veer_foreign(address);
    if (!librarys) bad_free(address, in_heap ? chunk : NULL);
    return NULL;
}

static void release(struct veer_chunk *chunk, uint32_t site) {
    veer_refuse_levels(VEER_REFUSAL_HEAP);
    chunk->state = VEER_CHUNK_FREED;
    chunk->freed_site = site;
    if (!veer_free_lazy(chunk->address)) veer_fill_words(chunk->address, chunk->size, VEER_SHADOW_UNADDRESSABLE);
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
    struct veer_sized *extent = chunk->extent ? &EXTENTS->of[chunk->extent - 1] : NULL;
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
    veer_touch_lazy(from->address, kept);
    veer_touch_lazy(to->address, kept);
    memcpy((void *)(uintptr_t)to->address, (const void *)(uintptr_t)from->address, kept);
    memcpy(veer_words(to->address), veer_words(from->address), kept * 4);
    if (veer_has_flows()) veer_flow_kept(to->address, from->address, kept);
    if (!from->extent) {
        if (to->extent) EXTENTS->of[to->extent - 1].known = kept;
        return;
    }
    if (to->extent) return;
    uint32_t *words = veer_words(to->address);
    for (uint64_t k = 0; k < kept; k++)
        if (words[k] == ELEMENTS->untouched) words[k] = VEER_SHADOW_CONCRETE;
}

VEER_MARKED(void *, veer_realloc, void *old, uint64_t size) {
    uint64_t address = (uint64_t)(uintptr_t)old;
    uint32_t first = veer_argument((void *)veer_realloc, 0), shadow = veer_argument((void *)veer_realloc, 1), site = veer_here();
    VEER_HOT->callee = 0;
    if (veer_has_flows()) veer_flow_allocated((void *)veer_realloc, 2);
    veer_pin(first, address, 64, site);
    if (!has_term(shadow)) shadow = 0;
    if (!old) return allocate_any(size, shadow, 16, 0);
    struct veer_chunk *chunk = block_at(address);
    if (!chunk) {
        veer_pin(shadow, size, 64, site);
        return realloc(old, size);
    }
    int is_open = shadow != 0;
    if (is_open) veer_find_end(chunk, site);
    if (shadow) veer_event(VEER_KIND_GUARD, is_zero(shadow), size == 0, site);
    if (size == 0) {
        release(chunk, site);
        return NULL;
    }
    if (size > INT64_MAX && !shadow) return too_large();
    int growing = grows(chunk, size, &shadow);
    uint64_t kept = growing ? chunk->size : size;
    if (!is_open) veer_end_is_seen(chunk, size, site); /* first: a run in which the block is longer must ask the same */
    if (!chunk->extent) veer_touch_range(address, kept, site);
    uint64_t fresh = (uint64_t)(uintptr_t)allocate_any(size, shadow, 16, 0);
    if (!fresh) return NULL;
    move_block(chunk, veer_chunk_before(fresh), kept);
    release(chunk, site);
    return (void *)(uintptr_t)fresh;
}
