/* What outlives the run: for each instance of a join of branches, the bytes that any run wrote before it (FlowTest, algorithm 1, line
   5: the flow of a variable stays; here as the cells written under a branch, which get its flow at every join, written or not).

   An instance is named by a key of the frames and loop iterations that it lies in, the same in all runs (tracer/flow.c). The keys'
   lists lie in an open hash table in shared memory:

       (key, NONE) ─► (key, granule, mask) ─► (key, granule, mask) ...        a granule is 8 bytes */
#include "flows.h"

#define FACTS VEER_REGION(struct veer_flow_fact, FLOW_FACTS)
#define HEAD VEER_NONE

/* The entry's slot, made if it is not there; NONE = the table is full. */
static uint32_t slot_of(uint64_t key, uint32_t granule, int makes) {
    struct veer_control *control = VEER_CONTROL;
    uint64_t slot = veer_flow_mix(key, granule) & (VEER_FLOW_FACTS_CAPACITY - 1);
    for (;; slot = (slot + 1) & (VEER_FLOW_FACTS_CAPACITY - 1)) {
        const struct veer_flow_fact *fact = &FACTS[slot];
        if (slot == 0) continue; /* 0 ends a list */
        if (fact->key == key && fact->granule == granule && fact->mask) return (uint32_t)slot;
        if (!fact->mask) break;
    }
    if (!makes) return VEER_NONE;
    if (control->flow_fact_count >= VEER_FLOW_FACTS_CAPACITY / 4 * 3) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_FLOWS);
        return VEER_NONE;
    }
    control->flow_fact_count++;
    FACTS[slot] = (struct veer_flow_fact){.key = key, .granule = granule, .mask = granule == HEAD};
    return (uint32_t)slot;
}

static void add(uint64_t key, uint32_t granule, uint32_t mask) {
    uint32_t slot = slot_of(key, granule, 1), head;
    if (slot == VEER_NONE || (FACTS[slot].mask & mask) == mask) return;
    if (FACTS[slot].mask == 0) {
        head = slot_of(key, HEAD, 1);
        if (head == VEER_NONE) return;
        FACTS[slot].mask = mask; /* `head` may not take a slot that looks free */
        FACTS[slot].next = FACTS[head].next;
        FACTS[head].next = slot;
    }
    FACTS[slot].mask |= mask;
    VEER_CONTROL->flow_changes++;
}

/* These bytes were written before the join. */
void veer_fact_add(uint64_t key, uint64_t address, uint64_t size) {
    for (uint64_t end = address + size; address < end;) {
        uint64_t begin = address & 7, last = end - (address - begin) > 8 ? 8 : end - (address - begin);
        add(key, (uint32_t)(address >> 3), (0xffu >> (8 - last)) & (0xffu << begin));
        address += last - begin;
    }
}

/* Locals of frames that have ended are nobody's. */
static int is_dead(uint64_t address) {
    return address >= VEER_HOT->stack_pointer && address < VEER_STACK_BASE + (uint64_t)VEER_STACK_SIZE && address >= VEER_STACK_BASE;
}

/* At the join: all that was ever written before it gets the flow of its branches, and was written before the join around it, too
   (`outer`, 0 = there is none). */
void veer_fact_apply(uint64_t key, uint32_t flow, uint64_t outer, uint32_t site) {
    uint32_t slot = slot_of(key, HEAD, 0);
    if (slot == VEER_NONE) return;
    for (slot = FACTS[slot].next; slot; slot = FACTS[slot].next) {
        uint64_t address = (uint64_t)FACTS[slot].granule << 3;
        if (is_dead(address)) continue;
        for (uint32_t k = 0; k < 8; k++)
            if (FACTS[slot].mask >> k & 1) veer_flow_add(address + k, 1, flow, VEER_FLOWKIND_JOIN, site);
        if (outer) add(outer, FACTS[slot].granule, FACTS[slot].mask);
    }
}
