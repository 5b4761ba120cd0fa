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

enum { WITHOUT_FLAGS, WITH_FLAGS };
/* A record of the memory there. WITH_FLAGS: a byte for each of its bytes follows, whether it was never written. */
void veer_append_output(uint32_t kind, uint32_t number, uint64_t address, uint32_t size, int flags);
#endif
