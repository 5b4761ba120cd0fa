/* Interrupts as calls of a function of the unit (--interrupt): before a volatile access (instrument/interrupts.py) the input chooses whether it
   is called there, as often in a run as a bound says, and not behind so many accesses: a loop that waits for an interrupt would have a path for
   each of its rounds. It is not interrupted itself.

   A run that makes very many accesses waits for something that more interrupts might bring: no test. */
#include "endings.h"
#include "growth.h"
#include "places.h"
#include "veer_harness.h"
#include "veer_runtime.h"

enum { MOST_ACCESSES = 1 << 14 };

struct veer_interrupts {
    void (*routine)(void);
    const char *root;
    uint32_t most, places, calls, accesses, is_inside;
};
VEER_STATE_FITS(interrupts);
#define INTERRUPTS VEER_STATE(interrupts)

void veer_set_interrupt(void (*routine)(void), const char *root, uint32_t most, uint32_t places) {
    VEER_HOT->callee = 0;
    INTERRUPTS->routine = routine;
    INTERRUPTS->root = root;
    INTERRUPTS->most = most;
    INTERRUPTS->places = places;
    INTERRUPTS->calls = INTERRUPTS->accesses = INTERRUPTS->is_inside = 0;
}

void veer_interrupt_point(void) {
    VEER_HOT->callee = 0;
    if (!INTERRUPTS->routine || INTERRUPTS->is_inside) return;
    if (INTERRUPTS->accesses++ >= MOST_ACCESSES) veer_finish(VEER_OUTCOME_ASSUMPTION);
    if (INTERRUPTS->accesses > INTERRUPTS->places) return;
    if (INTERRUPTS->calls >= veer_grown(VEER_BOUND_INTERRUPTS, INTERRUPTS->most)) {
        veer_meet_bound(VEER_BOUND_INTERRUPTS);
        return;
    }
    if (!veer_choose(2, INTERRUPTS->root)) return;
    INTERRUPTS->calls++;
    INTERRUPTS->is_inside = 1;
    INTERRUPTS->routine();
    INTERRUPTS->is_inside = 0;
    VEER_HOT->callee = 0;
}
