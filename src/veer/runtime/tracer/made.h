/* What a run allocated, or reached of static data, and left: for the expectations of tests. */
#ifndef VEER_MADE_H
#define VEER_MADE_H
#include <stdint.h>

#include "veer_harness.h"

/* Appends the records of blocks and static data that what the run left leads to: its result, its input objects, these variables. */
void veer_tell_made(const struct veer_variable *variables, uint32_t count);
#endif
