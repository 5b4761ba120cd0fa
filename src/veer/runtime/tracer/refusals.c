/* Compositional runs: a function that cannot be executed over symbols of its own is a part of its callers from the next run on. */
#include "refusals.h"

#include "levels.h"

void veer_refuse_level(const struct veer_level *level, uint32_t reason) {
    if (level->function >= VEER_REFUSALS_CAPACITY || REFUSALS[level->function]) return;
    REFUSALS[level->function] = (uint8_t)reason;
    VEER_CONTROL->boundary_changes++;
}

/* Every function under way, the outermost one aside, is a part of its callers from the next run on. */
void veer_refuse_levels(uint32_t reason) {
    for (uint32_t k = 1; k < LEVELS->count; k++) veer_refuse_level(&LEVELS->of[k], reason);
}
