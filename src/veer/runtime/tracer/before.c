/* How the unit's static data came to be what it is when the entry is called (docs/state.md):

       no bound has grown      as initialised
       VEER_BOUND_CALLS        by calls of the unit's functions: before each of them the input chooses one of them, or the entry
       VEER_BOUND_STATE        instead of that its variables may be inputs

   A campaign begins without any of it, so that 0 means "as initialised" in all inputs. */
#include "growth.h"
#include "run.h"
#include "veer_harness.h"
#include "veer_runtime.h"

/* 0, 1, 2, 4, 8, ...: a number that is doubled from nothing. */
static uint64_t allowed(uint32_t bound) { return veer_grown(bound, 1) >> 1; }

void veer_before(void (*const *calls)(void), uint32_t count, void (*set_free)(void)) {
    uint64_t left = allowed(VEER_BOUND_CALLS), next;
    VEER_HOT->callee = 0;
    if (set_free && allowed(VEER_BOUND_STATE) && veer_choose(2, "state()")) {
        set_free();
        return;
    }
    veer_meet_bound(VEER_BOUND_STATE);
    for (; count && left && (next = veer_choose(count + 1, "before()")); left--) {
        RUN->is_before = 1;
        calls[next - 1]();
        RUN->is_before = 0;
    }
    if (count && !left) veer_meet_bound(VEER_BOUND_CALLS);
    VEER_HOT->callee = 0;
}
