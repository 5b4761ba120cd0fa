#include "callees.h"

#include <string.h>

#include "places.h"
#include "veer_shared.h"

enum { RECENT = 64, MOST_PROBES = 64 };

/* The pairs of this run that were noted last: most calls of a loop are among them. */
struct veer_callees {
    uint64_t recent[RECENT];
};
VEER_STATE_FITS(callees);
#define STATE VEER_STATE(callees)
#define OF_RUN VEER_REGION(uint64_t, RUN_CALLEES)
#define KNOWN VEER_REGION(uint64_t, CALLEES)

void veer_callees_begin(void) {
    if (VEER_CONTROL->run_callee_count) memset(STATE->recent, 0, sizeof STATE->recent);
    VEER_CONTROL->run_callee_count = 0;
}

/* A run has as many as the region holds at most; what comes behind them is an edge of other runs, or of none. */
void veer_note_callee(uint64_t pair) {
    uint64_t *recent = &STATE->recent[pair % RECENT];
    uint32_t count = VEER_CONTROL->run_callee_count;
    if (*recent == pair) return;
    *recent = pair;
    for (uint32_t k = 0; k < count; k++)
        if (OF_RUN[k] == pair) return;
    if (count == VEER_RUN_CALLEES_CAPACITY) return;
    OF_RUN[count] = pair;
    VEER_CONTROL->run_callee_count = count + 1;
}

/* Whether the pair was not known; it is from now on, unless its place is full. */
static int is_new(uint64_t pair) {
    for (uint64_t k = 0; k < MOST_PROBES; k++) {
        uint64_t *slot = &KNOWN[(pair + k) % VEER_CALLEES_CAPACITY];
        if (*slot == pair) return 0;
        if (*slot) continue;
        *slot = pair;
        return 1;
    }
    return 0;
}

int veer_take_new_callees(void) {
    int found = 0;
    for (uint32_t k = 0; k < VEER_CONTROL->run_callee_count; k++) found += is_new(OF_RUN[k]);
    return found;
}
