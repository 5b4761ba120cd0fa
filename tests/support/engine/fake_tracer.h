/* A tracer for tests: programs written by hand, decision by decision, over the engine's own interface. */
#ifndef FAKE_TRACER_H
#define FAKE_TRACER_H
#include "engine/arena.h"
#include "engine/evaluate.h"
#include "engine/executes.h"
#include "engine/leaves.h"
#include "veer_shared.h"

/* Appends a decision and mixes branches into the path's hash. */
static inline void fake_event(uint32_t kind, uint32_t site, uint32_t literal, uint32_t alternative,
                              uint32_t alternatives, uint32_t flags)
{
    struct veer_control *control = VEER_CONTROL;
    VEER_TRACE[control->trace_count++] =
        (struct veer_event){(uint8_t)kind, (uint8_t)flags, (uint16_t)alternatives, alternative, literal, site, 0, 0};
    if (kind == VEER_KIND_BRANCH || kind == VEER_KIND_CHOICE)
        control->current_hash = (control->current_hash ^ (2 * (uint64_t)site + alternative + 1)) * VEER_HASH_MULTIPLIER;
}

/* The value of a leaf in the current input, which grows to hold it. */
static inline uint64_t fake_input(uint32_t leaf)
{
    struct veer_control *control = VEER_CONTROL;
    uint8_t *input = VEER_INPUTS + control->input_bytes;
    uint32_t end = VEER_LEAVES[leaf].input_offset + VEER_LEAVES[leaf].width / 8;
    while (control->current_length < end)
        input[control->current_length++] = 0;
    return veer_leaf_value(leaf, input, control->current_length);
}
#endif
