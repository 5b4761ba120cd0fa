/* What a run allocated, or reached of static data, and left: for the expectations of tests. */
#ifndef VEER_MADE_H
#define VEER_MADE_H
#include <stdint.h>

#include "veer_harness.h"

/* Before the entry is called: what is allocated until then is no part of what it makes. */
void veer_begin_made(void);

/* Appends the records of blocks and static data that what the run left leads to: its result, its input objects, the objects of a call
   sequence, these variables. And how many blocks were allocated and freed where. */
void veer_tell_made(const struct veer_variable *variables, uint32_t count);
#endif
