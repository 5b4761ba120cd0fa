/* The run under way: its number, and the place that it comes back to however it ends. */
#ifndef VEER_RUN_H
#define VEER_RUN_H
#include <setjmp.h>

#include "places.h"

struct veer_run {
    uint32_t epoch; /* marks of other runs are void */
    uint32_t in_run;
    uint32_t is_before; /* a call that only prepares the unit for the entry is under way */
    jmp_buf end;
};
VEER_STATE_FITS(run);
#define RUN VEER_STATE(run)
#endif
