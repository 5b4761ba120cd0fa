/* Flow by control: what instrumented code of the flow build calls (veer_runtime.h, "flows"). A stack of controlling branches (FlowTest,
   algorithm 3, lines 10, 11, 16, 17, 20 and 21). */
#include "flow_control.h"

#include "engine/hash.h"
#include "engine/ledger.h"
#include "flow_facts.h"
#include "flow_map.h"
#include "flow_sets.h"
#include "flow_writes.h"
#include "flows.h"
#include "image.h"
#include "memory_map.h"
#include "sites.h"
#include "stack.h"
#include "veer_runtime.h"
#include "veer_shared.h"

/* Something is asked here that leads to no other place, but is a place itself (which arm of a select, whether an access fails): whoever
   decides that it is asked belongs together with what it asks about. */
void veer_flow_test(uint32_t flow, uint32_t site) { veer_flow_join_sets(veer_flow_total(), flow, VEER_FLOWKIND_TEST, site, 0); }

/* What may end the run in the next operation: an address, a divisor, a condition that is assumed. */
void veer_flow_note(uint32_t flow, uint32_t site) {
    FLOW_CONTROL->noted = flow;
    veer_flow_test(flow, site);
}

/* -- control ------------------------------------------------------------------------------------------------------- */

static void add_up(uint32_t from, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    for (uint32_t k = from; k < state->top; k++)
        state->controllers[k].total = veer_flow_join_sets(k ? state->controllers[k - 1].total : 0, state->controllers[k].flow,
                                                          VEER_FLOWKIND_TEST, site, 0);
}

static void push(uint32_t flow, uint32_t join, uint64_t key, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    if (state->top == VEER_FLOW_CONTROLLERS) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_FLOWS);
        return;
    }
    state->controllers[state->top++] = (struct veer_flow_controller){.key = key, .flow = flow, .join = join, .depth = state->depth};
    add_up(state->top - 1, site);
}

/* A condition is tested; from here to the block `join` (0 = the end of the function) all is controlled by it. */
void veer_flow_branch(uint32_t flow, uint32_t join, uint64_t iteration, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    if (!flow) return;
    for (uint32_t k = state->top; k > 0 && state->controllers[k - 1].depth == state->depth; k--) {
        struct veer_flow_controller *controller = &state->controllers[k - 1];
        if (controller->join != join) continue;
        controller->flow = veer_flow_join_sets(controller->flow, flow, VEER_FLOWKIND_TEST, site, 0);
        add_up(k - 1, site);
        return;
    }
    push(flow, join, mix(mix(state->frames[state->depth], join), iteration), site);
}

/* Takes the controllers from index `bottom` on off the stack; what was ever written under them gets their flow. */
static uint32_t pop_to(uint32_t bottom, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    uint32_t flow = 0;
    while (state->top > bottom) {
        struct veer_flow_controller controller = state->controllers[--state->top];
        uint64_t outer = state->top ? state->controllers[state->top - 1].key : 0;
        flow = veer_flow_join_sets(flow, controller.flow, VEER_FLOWKIND_JOIN, site, 0);
        veer_fact_apply(controller.key, controller.flow, outer, site);
    }
    return flow;
}

static uint32_t frame_flow(uint32_t flow, uint32_t site) {
    const struct veer_flow_control *state = FLOW_CONTROL;
    for (uint32_t k = state->top; k > 0 && state->controllers[k - 1].depth == state->depth; k--)
        flow = veer_flow_join_sets(flow, state->controllers[k - 1].flow, VEER_FLOWKIND_JOIN, site, 0);
    return flow;
}

/* The block `join` begins (0: none in particular). The flow of all branches of this activation that decided how it was reached. */
uint32_t veer_flow_join(uint32_t join, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    uint32_t bottom = state->top, flow = 0;
    if (!bottom || state->controllers[bottom - 1].depth != state->depth) return 0;
    for (uint32_t k = state->top; join && k > 0 && state->controllers[k - 1].depth == state->depth; k--)
        if (state->controllers[k - 1].join == join) bottom = k - 1;
    flow = pop_to(bottom, site);
    return frame_flow(flow, site);
}

/* -- calls --------------------------------------------------------------------------------------------------------- */

/* Whether a function keeps the flow map itself. The address may be wild: the call's own check comes later. */
static int keeps_flows(uint64_t callee) {
    if (callee < IMAGE->begin + 16 || callee >= IMAGE->text_end) return 0;
    return *(const uint64_t *)(uintptr_t)(callee - 8) == VEER_FUNCTION_MARK;
}

/* All arguments of the call under way. */
static uint32_t given(uint32_t count, uint32_t site) {
    uint32_t flow = 0;
    for (uint32_t k = 0; k < count && k < VEER_MAX_ARGUMENTS; k++)
        flow = veer_flow_join_sets(flow, VEER_FLOWS->arguments[k], VEER_FLOWKIND_CALL, site, 0);
    return flow;
}

void veer_flow_call(uint64_t callee, uint32_t count, uint32_t site, uint64_t iteration, uint32_t is_known) {
    struct veer_flow_control *state = FLOW_CONTROL;
    struct veer_flows *flows = VEER_FLOWS;
    flows->callee = callee;
    flows->returner = 0;
    flows->count = count;
    state->call_key = mix(mix(state->frames[state->depth], site), iteration);
    if (is_known || keeps_flows(callee)) return;
    state->external = given(count, site);
}

/* The flow of a call's result. Of code that does not keep the flow map, the runtime's own among it: all that it was given. */
uint32_t veer_flow_result(uint64_t callee) {
    struct veer_flows *flows = VEER_FLOWS;
    uint32_t flow = flows->returner == callee ? flows->returned : FLOW_CONTROL->external;
    if (flows->returner != callee && flows->callee == callee) flow = given(flows->count, veer_here());
    flows->returner = 0;
    flows->callee = 0;
    return flow;
}

/* A function begins; its depth. Arguments of a call from uninstrumented code may be anything that was given to it. */
uint32_t veer_flow_enter(uint64_t self) {
    struct veer_flow_control *state = FLOW_CONTROL;
    struct veer_flows *flows = VEER_FLOWS;
    if (++state->depth > VEER_FLOW_DEPTH) veer_too_deep(veer_here());
    state->frames[state->depth] = mix(state->call_key, self);
    if (flows->callee != self) {
        flows->count = VEER_MAX_ARGUMENTS;
        for (uint32_t k = 0; k < VEER_MAX_ARGUMENTS; k++) flows->arguments[k] = state->external;
    }
    flows->callee = 0;
    uint32_t moved = veer_flow_of(VEER_FLOW_STACK, 1, VEER_FLOWKIND_LOAD, veer_here());
    if (moved) push(moved, 0, mix(state->frames[state->depth], 4), veer_here());
    return state->depth;
}

/* It returns a value of that flow: all of its branches end here. */
void veer_flow_leave(uint32_t flow, uint64_t self) {
    struct veer_flow_control *state = FLOW_CONTROL;
    uint32_t bottom = state->top, site = veer_here();
    flow = frame_flow(flow, site);
    while (bottom > 0 && state->controllers[bottom - 1].depth == state->depth) bottom--;
    pop_to(bottom, site);
    state->depth--;
    VEER_FLOWS->returner = self;
    VEER_FLOWS->returned = flow;
}

/* The union of the arguments from number `first` on: those behind `...`. */
uint32_t veer_flow_variadic(uint32_t first) {
    uint32_t flow = 0;
    for (uint32_t k = first; k < VEER_FLOWS->count && k < VEER_MAX_ARGUMENTS; k++)
        flow = veer_flow_join_sets(flow, VEER_FLOWS->arguments[k], VEER_FLOWKIND_CALL, veer_here(), 0);
    return flow;
}

/* After va_start: wherever such an argument is read from, it has the flow of them all. */
void veer_flow_va_start(uint64_t list, uint32_t flow) {
    struct areas {
        uint32_t general_offset, vector_offset;
        uint64_t overflow, saved;
    } const *areas = (const void *)(uintptr_t)list;
    if (!flow) return;
    const struct veer_local_frame *frame = areas->saved < VEER_LOW_END ? veer_local_before(areas->saved) : NULL;
    if (frame) veer_flow_set(frame->base, frame->total, flow);
    FLOW_MAP->uninstrumented = veer_flow_join_sets(FLOW_MAP->uninstrumented, flow, VEER_FLOWKIND_CALL, veer_here(), 0);
}

/* An alloca: where later locals lie depends on it. */
uint32_t veer_flow_alloca(uint32_t flow, uint32_t site) {
    if (!flow && !veer_flow_total()) return veer_flow_of(VEER_FLOW_STACK, 1, VEER_FLOWKIND_LOAD, site);
    return veer_flow_touch_state(VEER_FLOW_STACK, flow, site);
}

/* -- jumps --------------------------------------------------------------------------------------------------------- */

/* Before a longjmp, or where an exception has landed: what decided it decides all that comes after any setjmp, in all runs. */
void veer_flow_jump(uint32_t flow, uint32_t site) {
    struct veer_control *control = VEER_CONTROL;
    uint32_t all = veer_flow_join_sets(flow, veer_flow_total(), VEER_FLOWKIND_TEST, site, 0);
    all = veer_flow_join_sets(control->flow_jumps, all, VEER_FLOWKIND_JOIN, site, 0);
    if (all != control->flow_jumps) control->flow_changes++;
    control->flow_jumps = all;
}

/* How many controllers there are. */
uint32_t veer_flow_mark(void) { return FLOW_CONTROL->top; }

/* After a setjmp, whichever way it returned: the stack is as it was, and the rest of the activation is controlled by the jumps. */
uint32_t veer_flow_land(uint32_t depth, uint32_t mark, uint32_t site) {
    struct veer_flow_control *state = FLOW_CONTROL;
    if (state->depth > depth) state->depth = depth;
    if (state->top > mark) pop_to(mark, site);
    veer_flow_branch(VEER_CONTROL->flow_jumps, 0, 0, site);
    return VEER_CONTROL->flow_jumps;
}

/* -- the end ------------------------------------------------------------------------------------------------------- */

/* What decided that the run ended as it did; nothing for a return. Exits are no control edges for what comes after them. */
void veer_flow_end(uint32_t outcome) {
    uint32_t flow = 0;
    const struct veer_control *control = VEER_CONTROL;
    if (outcome != VEER_OUTCOME_RETURNED) {
        flow = veer_flow_join_sets(veer_flow_total(), FLOW_CONTROL->noted, VEER_FLOWKIND_END, veer_here(), 0);
        uint64_t address = control->last_report < VEER_REPORTS_CAPACITY ? VEER_REPORTS[control->last_report].address : 0;
        if (address && address < VEER_LOW_END) /* whether the bytes there could be used */
            flow = veer_flow_join_sets(flow, veer_flow_of(address, 1, VEER_FLOWKIND_END, veer_here()), VEER_FLOWKIND_END, veer_here(), address);
    }
    VEER_CONTROL->flow_end = flow;
}

/* Sets back what the last run left. */
void veer_flow_begin(void) {
    veer_flow_map_begin();
    FLOW_CONTROL->depth = 0;
    FLOW_CONTROL->top = 0;
    FLOW_CONTROL->noted = 0;
    FLOW_CONTROL->external = 0;
    FLOW_CONTROL->call_key = 0;
    VEER_FLOWS->callee = 0;
    VEER_FLOWS->returner = 0;
}
