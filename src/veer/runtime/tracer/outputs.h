/* The records of what a run leaves behind: appended in order, what does not fit any more is left out. */
#ifndef VEER_OUTPUTS_H
#define VEER_OUTPUTS_H
#include <stdint.h>

#include "places.h"

struct veer_left {
    uint32_t stub_calls; /* since the entry was called */
};
VEER_STATE_FITS(left);
#define LEFT VEER_STATE(left)
#endif
