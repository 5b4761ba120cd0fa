/* Slots: what stands for a value that crossed a function's boundary in a compositional run. */
#ifndef VEER_SLOTS_H
#define VEER_SLOTS_H
#include "veer_wire.h"

int veer_slots_map(void);
uint32_t veer_slot(const struct veer_slot *wanted);
void veer_crossing(const struct veer_crossed *crossing);
#endif
