/* What keeps a unit's system calls from the engine, and what becomes of those that are refused. */
#ifndef VEER_GUARD_H
#define VEER_GUARD_H
#include <signal.h>
#include <stdint.h>

#include "places.h"

struct veer_guard {
    uint32_t is_on;
};
VEER_STATE_FITS(guard);
#define GUARD_STATE VEER_STATE(guard)

int veer_guard_begin(int first_descriptor);
int veer_guard_refused(const siginfo_t *information, void *context);
#endif
