/* The unit's locals that stay in memory: a stack of its own below 2 GiB that grows upwards, so that every local has a shadow. */
#include <string.h>

#include "declared.h"
#include "elements.h"
#include "endings.h"
#include "events.h"
#include "extents.h"
#include "flow_map.h"
#include "flows.h"
#include "memory_map.h"
#include "sites.h"
#include "stack.h"
#include "uninitialised.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

/* Takes `total` bytes of the stack of locals at an address of that alignment. */
static struct veer_local_frame *push(uint64_t total, uint64_t alignment, uint32_t site) {
    veer_levels_use_stack();
    uint64_t limit = VEER_CONTROL->stack_limit;
    if (limit == 0 || limit > VEER_STACK_SIZE) limit = VEER_STACK_SIZE;
    uint64_t base = (VEER_HOT->stack_pointer + alignment - 1) & ~(alignment - 1);
    if (total > VEER_STACK_SIZE || base + total + VEER_REDZONE > VEER_STACK_BASE + limit || STACK->count >= VEER_MAX_LOCALS)
        veer_end_run(VEER_OUTCOME_STACK_OVERFLOW, site, "the local variables do not fit on the stack");
    struct veer_local_frame *frame = &STACK->frames[STACK->count++];
    frame->base = (uint32_t)base;
    frame->total = (uint32_t)total;
    frame->extent = 0;
    VEER_HOT->stack_pointer = base + total;
    if (base + total > STACK->end) STACK->end = (uint32_t)(base + total);
    memset((void *)(uintptr_t)base, 0, total);
    if (veer_has_flows()) veer_flow_set(base, total, 0);
    return frame;
}

uint64_t veer_frame(uint64_t total, uint32_t count, uint32_t written, const uint32_t *layout) {
    uint32_t site = veer_here();
    struct veer_local_frame *frame = push(total, 64, site);
    frame->count = count;
    frame->layout = layout;
    for (uint32_t k = 0; k < written; k++) veer_fill_words(frame->base + layout[2 * k], layout[2 * k + 1], VEER_SHADOW_CONCRETE);
    for (uint32_t k = written; k < count; k++) veer_mark_unwritten(frame->base + layout[2 * k], layout[2 * k + 1], veer_unwritten_local(site, k));
    return frame->base;
}

void veer_frame_end(uint64_t mark) {
    uint64_t top = VEER_HOT->stack_pointer;
    if (mark >= VEER_FIRST_FRAME && mark < top) veer_fill_words(mark, top - mark, VEER_SHADOW_UNADDRESSABLE);
    while (STACK->count > 0 && STACK->frames[STACK->count - 1].base >= mark) STACK->count--;
    VEER_HOT->stack_pointer = mark;
}

/* The room that an alloca gets. A symbolic size is kept as a term up to a bound; one that is too large for any stack is not
   looked at further. */
static uint64_t room_for(uint64_t size, uint32_t term, uint32_t *extent, uint32_t site) {
    const uint64_t kept[] = {4096, 1 << 16, 0}, possible[] = {VEER_STACK_SIZE, 0};
    *extent = 0;
    if (!veer_symbolic(term) || VEER_NODES[term].op == VEER_OP_CONST || VEER_NODES[term].width != 64 || veer_past_bound()) return size;
    veer_verify(term, size);
    uint64_t room = veer_size_class(term, size, kept, site);
    if (room) *extent = veer_new_extent(term, size, site);
    else if (veer_size_class(term, size, possible, site)) veer_pin(term, size, 64, site);
    return *extent ? room : size;
}

uint64_t veer_alloca(uint64_t size, uint32_t size_shadow, uint64_t alignment, uint32_t site) {
    uint32_t extent;
    uint64_t room = room_for(size, size_shadow, &extent, site);
    if (alignment < 16) alignment = 16;
    if (size > VEER_STACK_SIZE) veer_end_run(VEER_OUTCOME_STACK_OVERFLOW, site, "the local variables do not fit on the stack");
    uint64_t before = (VEER_REDZONE + alignment - 1) & ~(alignment - 1);
    struct veer_local_frame *frame = push((before + room + VEER_REDZONE + 15) & ~15ull, alignment, site);
    frame->count = 1;
    frame->layout = NULL;
    frame->single[0] = (uint32_t)before;
    frame->single[1] = (uint32_t)size;
    frame->extent = extent;
    frame->reserved = (uint32_t)room;
    veer_mark_unwritten(frame->base + before, size, veer_unwritten_local(site, 0));
    if (extent) veer_mark_untouched(frame->base + before, size);
    return frame->base + before;
}
