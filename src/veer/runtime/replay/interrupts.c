/* Interrupts in a replay: the choices of the recorded run; one that it did not make is no call. */
#include <stdint.h>

#include "replay.h"
#include "veer_harness.h"

static void (*routine)(void);
static const char *choice;
static int is_inside;

void veer_set_interrupt(void (*called)(void), const char *root, uint32_t most, uint32_t places) {
    (void)most;
    (void)places;
    routine = called;
    choice = root;
}

void veer_interrupt_point(void) {
    if (!routine || is_inside || !veer_choose(2, choice)) return;
    is_inside = 1;
    routine();
    is_inside = 0;
}
