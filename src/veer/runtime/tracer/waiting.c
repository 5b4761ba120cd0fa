/* Pointers that wait until all roots are made: they are planned (eager.c) or decided (settled.c) before the entry is called. */
#include "waiting.h"

#include "leaf_state.h"

/* Lists a pointer that was just made, within the object that is being filled. */
void veer_wait_for_plan(uint32_t leaf) {
    if (WAITING->count == VEER_MAX_WAITING) return; /* it is planned when it is met */
    LEAF_STATES[leaf].holder = WAITING->holder;
    WAITING->leaves[WAITING->count++] = leaf;
}

int veer_is_root_pointer(uint32_t leaf) {
    for (uint32_t k = 0; k < WAITING->count; k++)
        if (WAITING->leaves[k] == leaf) return LEAF_STATES[leaf].holder == 0;
    return 0;
}

void veer_waiting_begin(void) {
    WAITING->is_eager = WAITING->settles = 0;
    WAITING->count = WAITING->holder = 0;
}
