/* What holds for the life of the executor's process: descriptors, what its environment asks for, whether it must be renewed. */
#ifndef VEER_PROCESS_H
#define VEER_PROCESS_H
#include "places.h"

struct veer_process {
    int command, reply, errors; /* descriptors */
    uint32_t verify;            /* VEER_VERIFY: each expression is compared with its concrete value */
    uint32_t show_output;
    uint32_t untrusted;         /* this process must be renewed */
    uint32_t handlers_dirty;    /* the unit may have replaced our signal handlers */
};
VEER_STATE_FITS(process);
#define PROCESS VEER_STATE(process)
#endif
