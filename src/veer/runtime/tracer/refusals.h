/* Functions that are a part of their callers from the next compositional run on. */
#ifndef VEER_REFUSALS_H
#define VEER_REFUSALS_H
#include "veer_shared.h"

#define REFUSALS VEER_REGION(uint8_t, REFUSALS)

struct veer_level;

void veer_refuse_level(const struct veer_level *level, uint32_t reason);
void veer_refuse_levels(uint32_t reason);
#endif
