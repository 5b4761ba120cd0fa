/* The stack of the unit's locals, as it is now. */
#ifndef VEER_STACK_H
#define VEER_STACK_H
#include "places.h"

#define VEER_MAX_LOCALS (1u << 17)
#define VEER_FIRST_FRAME ((uint64_t)VEER_STACK_BASE + VEER_PAGE)

/* The locals of one activation, or one alloca. */
struct veer_local_frame {
    uint32_t base;
    uint32_t total;
    uint32_t count;
    uint32_t single[2]; /* an alloca's layout; `layout` is NULL then */
    const uint32_t *layout;
    uint32_t extent; /* an alloca of symbolic size: index + 1 into EXTENTS, 0 = none */
    uint32_t reserved; /* an alloca's room */
};

struct veer_stack {
    uint32_t end; /* highest address that locals of this run used */
    uint32_t count;
    struct veer_local_frame frames[VEER_MAX_LOCALS];
};
VEER_STATE_FITS(stack);
#define STACK VEER_STATE(stack)

void veer_stack_begin(void);
struct veer_local_frame *veer_local_before(uint64_t address);
#endif
