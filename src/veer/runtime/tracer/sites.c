/* Where the run is: the call string, and the sites of veer's own libc. */
#include "sites.h"

#include "engine/contexts.h"

/* The call string of the innermost activation, interned lazily: frames[].context holds the id + 1. */
uint32_t veer_context(void) {
    struct veer_frame *frames = VEER_HOT->frames;
    uint32_t depth = VEER_HOT->depth, known = depth, context = 0;
    while (known > 0 && frames[known - 1].context == 0) known--;
    if (known > 0) context = frames[known - 1].context - 1;
    for (; known < depth; known++) {
        context = veer_intern_context(context, frames[known].site);
        if (context == VEER_NONE) return 0;
        frames[known].context = context + 1;
    }
    return context;
}

/* Absolute symbols: the sites of veer's own libc (frontends/llvm/assembly.py). */
extern const char veer_library_begin[] __attribute__((weak)), veer_library_end[] __attribute__((weak));

int veer_is_library_site(uint32_t site) {
    uint32_t first = (uint32_t)(uintptr_t)veer_library_begin, end = (uint32_t)(uintptr_t)veer_library_end;
    return site - first < end - first;
}

uint32_t veer_user_site(uint32_t site) {
    for (uint32_t depth = VEER_HOT->depth; veer_is_library_site(site) && depth > 0;) site = VEER_HOT->frames[--depth].site;
    return site;
}
