/* The input of the run that comes next, and whether there is to be one. */
#ifndef ENGINE_CURRENT_H
#define ENGINE_CURRENT_H
#include "veer_shared.h"

static inline uint8_t *current_input(void)
{
    return VEER_INPUTS + VEER_CONTROL->input_bytes;
}

static inline int wants_stop(void)
{
    return __atomic_load_n(&VEER_CONTROL->stop, __ATOMIC_RELAXED) != 0;
}
#endif
