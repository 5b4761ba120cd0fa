/* Flow by control: the branches that are under way. */
#ifndef VEER_FLOW_CONTROL_H
#define VEER_FLOW_CONTROL_H
#include "places.h"

#define VEER_FLOW_CONTROLLERS (1u << 18)
#define VEER_FLOW_DEPTH 65536u

/* The branches of one frame that join at the same place, and are under way: who is on top of them is controlled by all (algorithm 3,
   lines 10, 16 and 20). `total` is the union of all flows up to here; `key` names this instance of the join in all runs. */
struct veer_flow_controller {
    uint64_t key;
    uint32_t flow, total, join, depth;
};

struct veer_flow_control {
    uint32_t depth, top;
    uint32_t noted;    /* flow of the last address or divisor that may end the run */
    uint32_t external; /* of what uninstrumented code was given last */
    uint64_t call_key; /* the place of the call under way in the run */
    uint64_t frames[VEER_FLOW_DEPTH + 16]; /* by depth: the key of the activation */
    struct veer_flow_controller controllers[VEER_FLOW_CONTROLLERS];
};
VEER_FLOW_STATE_FITS(flow_control);
#define FLOW_CONTROL VEER_FLOW_STATE(flow_control)

/* All controlling branches of the run, in whichever frame. */
static inline uint32_t veer_flow_total(void) {
    const struct veer_flow_control *state = FLOW_CONTROL;
    return state->top ? state->controllers[state->top - 1].total : 0;
}

void veer_flow_begin(void);
void veer_flow_end(uint32_t outcome);
#endif
