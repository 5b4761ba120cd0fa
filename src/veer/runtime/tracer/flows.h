/* Private to the flow build (--partitioned): FlowTest's flow map (Majumdar, Xu 2009, section 3) as a second shadow. A flow is the id
   of a hash-consed set of input leaves, 0 = none; each byte of the unit's memory has one, beside its word.

   The state lies in a mapping of its own that exists only when control.partitioned is set; hooks elsewhere ask veer_has_flows(). */
#ifndef VEER_FLOWS_H
#define VEER_FLOWS_H
#include "tracer.h"

#define VEER_FLOW_STATE_BASE 0x230000000000ull
#define VEER_FLOW_MEMO (1u << 15)
#define VEER_FLOW_KNOWN (1u << 13)
#define VEER_FLOW_CONTROLLERS (1u << 18)
#define VEER_FLOW_DEPTH 65536u
#define VEER_FLOW_PAGE_BITS 8
#define VEER_FLOW_PAGES (1u << (31 - VEER_FLOW_PAGE_BITS)) /* of the unit's memory */

/* Cells of no variable, below everything that a program may touch: what they hold steers where things lie. */
#define VEER_FLOW_HEAP 8u   /* the state of the allocator: addresses of later blocks depend on it */
#define VEER_FLOW_STACK 16u /* the same of the stack, for allocas */
#define VEER_FLOW_INPUT 24u /* how many inputs of a name were made: which input is the next one */

/* The branches of one frame that join at the same place, and are under way: who is on top of them is controlled by all (algorithm 3,
   lines 10, 16 and 20). `total` is the union of all flows up to here; `key` names this instance of the join in all runs. */
struct veer_flow_controller {
    uint64_t key;
    uint32_t flow, total, join, depth;
};

struct veer_flow_state {
    uint32_t depth, top;
    uint32_t noted;    /* flow of the last address or divisor that may end the run */
    uint32_t foreign;  /* of all memory that is not the unit's */
    uint32_t external; /* of what uninstrumented code was given last */
    uint32_t page_count;
    uint64_t call_key; /* the place of the call under way in the run */
    struct veer_flow_union {
        uint64_t key;
        uint32_t result;
    } memo[VEER_FLOW_MEMO]; /* unions that were made before */
    uint64_t frames[VEER_FLOW_DEPTH + 16]; /* by depth: the key of the activation */
    struct veer_flow_controller controllers[VEER_FLOW_CONTROLLERS];
    uint32_t pages[VEER_FLOW_PAGES];
    uint8_t is_dirty[VEER_FLOW_PAGES];
    uint32_t scratch[1u << 18];
    struct veer_flow_known {
        uint64_t key;
        uint32_t granule, mask;
    } known_facts[VEER_FLOW_KNOWN]; /* direct-mapped, before the table of facts */
    uint32_t leaf_flows[VEER_LEAVES_CAPACITY];
};
#define VEER_FLOW_STATE ((struct veer_flow_state *)VEER_FLOW_STATE_BASE)
#define VEER_FLOWS ((struct veer_flows *)(uintptr_t)VEER_FLOWS_BASE)
#define VEER_FLOW_SHADOW ((uint32_t *)(uintptr_t)VEER_FLOW_SHADOW_BASE)

static inline int veer_has_flows(void) { return VEER_CONTROL->partitioned != 0; }

/* All controlling branches of the run, in whichever frame. */
static inline uint32_t veer_flow_total(void) {
    const struct veer_flow_state *state = VEER_FLOW_STATE;
    return state->top ? state->controllers[state->top - 1].total : 0;
}

static inline uint64_t veer_flow_mix(uint64_t left, uint64_t right) {
    uint64_t hash = (left ^ (right * 0xc2b2ae3d27d4eb4full + (right >> 29))) * VEER_HASH_MULTIPLIER;
    return hash ^ (hash >> 32);
}

/* -- flow_sets.c */
uint32_t veer_flow_leaf(uint32_t leaf);
uint32_t veer_flow_unite(uint32_t left, uint32_t right, uint32_t kind, uint32_t site, uint64_t address);

static inline uint32_t veer_flow_join_sets(uint32_t left, uint32_t right, uint32_t kind, uint32_t site, uint64_t address) {
    if (right == 0 || left == right) return left;
    return left ? veer_flow_unite(left, right, kind, site, address) : right;
}

/* -- flow_facts.c */
void veer_fact_add(uint64_t key, uint64_t address, uint64_t size);
void veer_fact_apply(uint64_t key, uint32_t flow, uint64_t outer, uint32_t site);
int veer_fact_has(uint64_t key, uint64_t address);

/* -- flow_memory.c */
void veer_flow_begin(void);
uint32_t veer_flow_of(uint64_t address, uint64_t size, uint32_t kind, uint32_t site);
void veer_flow_set(uint64_t address, uint64_t size, uint32_t flow);
void veer_flow_add(uint64_t address, uint64_t size, uint32_t flow, uint32_t kind, uint32_t site);
void veer_flow_add_masked(uint64_t address, uint32_t mask, uint32_t flow, uint32_t site);
void veer_flow_written(uint64_t address, uint64_t size);
uint32_t veer_flow_touch_state(uint64_t cell, uint32_t flow, uint32_t site);
void veer_flow_moved(const void *self, uint64_t to, uint64_t from, uint64_t size);
void veer_flow_filled(const void *self, uint64_t to, uint64_t size);
void veer_flow_kept(uint64_t to, uint64_t from, uint64_t size);
void veer_flow_input(uint64_t address, uint64_t size);
void veer_flow_allocated(const void *self);
uint32_t veer_flow_read_text(const void *self, const char *text);
void veer_flow_used(uint64_t address, uint32_t site);
void veer_flow_freed(uint64_t address, uint64_t size, uint32_t site);
void veer_flow_pointer(uint64_t address);
uint32_t veer_flow_argument(const void *self, uint32_t index);
void veer_flow_return(const void *self, uint32_t flow);

/* -- flow.c */
void veer_flow_test(uint32_t flow, uint32_t site);
void veer_flow_note(uint32_t flow, uint32_t site);
void veer_flow_end(uint32_t outcome);
#endif
