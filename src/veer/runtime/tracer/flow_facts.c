/* What outlives the run: for each instance of a join of branches, the bytes that any run wrote before it (FlowTest, algorithm 1, line
   5: the flow of a variable stays; here as the cells written under a branch, which get its flow at every join, written or not).

   An instance is named by a key of the frames and loop iterations that it lies in, the same in all runs (flow_control.c). The keys'
   lists lie in shared memory, with an open hash table as their index:

       (key, NONE) ─► (key, granule, mask) ─► (key, granule, mask) ...        a granule is 8 bytes */
#include "flow_facts.h"

#include <string.h>

#include "engine/hash.h"
#include "engine/ledger.h"
#include "flow_map.h"
#include "places.h"
#include "veer_runtime.h"
#include "veer_shared.h"

enum { FLOW_KNOWN = 1 << 13 };

struct known_fact {
    uint64_t key;
    uint32_t granule, mask;
};

struct veer_flow_facts {
    struct known_fact known[FLOW_KNOWN]; /* direct-mapped, before the table of facts */
};
VEER_FLOW_STATE_FITS(flow_facts);
#define FLOW_FACTS VEER_FLOW_STATE(flow_facts)

#define FACTS VEER_REGION(struct veer_flow_fact, FLOW_FACTS)
#define INDEX VEER_REGION(uint32_t, FLOW_INDEX)
#define HEAD VEER_NONE
#define FILTER VEER_REGION(uint8_t, FLOW_FILTER) /* a bit for the keys that have a list: most have none, and every join asks */

static uint32_t filter_bit(uint64_t key) { return (uint32_t)mix(key, 5) & (8 * VEER_FLOW_FILTER_CAPACITY - 1); }

static uint32_t *place_in_index(uint64_t key, uint32_t granule, uint32_t size) {
    uint64_t place = mix(key, granule) & (size - 1);
    while (INDEX[place] && (FACTS[INDEX[place]].key != key || FACTS[INDEX[place]].granule != granule)) place = (place + 1) & (size - 1);
    return &INDEX[place];
}

/* The index is small at first and grows with the facts, so that it stays in the caches. */
static void grow_index(struct veer_control *control) {
    uint32_t size = control->flow_index_size ? 2 * control->flow_index_size : 1u << 12;
    memset(INDEX, 0, size * sizeof *INDEX);
    control->flow_index_size = size;
    for (uint32_t k = 1; k < control->flow_fact_count; k++) *place_in_index(FACTS[k].key, FACTS[k].granule, size) = k;
}

/* The entry's number, made if it is not there; NONE = the table is full. */
static uint32_t entry_of(uint64_t key, uint32_t granule, int makes) {
    struct veer_control *control = VEER_CONTROL;
    if (control->flow_fact_count == 0) control->flow_fact_count = 1; /* 0 ends a list */
    if (2 * control->flow_fact_count >= control->flow_index_size) grow_index(control);
    uint32_t *place = place_in_index(key, granule, control->flow_index_size), entry = control->flow_fact_count;
    if (*place || !makes) return *place ? *place : VEER_NONE;
    if (entry >= VEER_FLOW_FACTS_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_FLOWS);
        return VEER_NONE;
    }
    FACTS[entry] = (struct veer_flow_fact){.key = key, .granule = granule};
    *place = entry;
    control->flow_fact_count = entry + 1;
    return entry;
}

static void add(uint64_t key, uint32_t granule, uint32_t mask) {
    struct known_fact *known = &FLOW_FACTS->known[mix(key, granule) & (FLOW_KNOWN - 1)];
    if (known->key == key && known->granule == granule && (known->mask & mask) == mask) return;
    uint32_t entry = entry_of(key, granule, 1), head;
    if (entry != VEER_NONE) *known = (struct known_fact){.key = key, .granule = granule, .mask = FACTS[entry].mask | mask};
    if (entry == VEER_NONE || (FACTS[entry].mask & mask) == mask) return;
    if (FACTS[entry].mask == 0) {
        head = entry_of(key, HEAD, 1);
        if (head == VEER_NONE) return;
        FILTER[filter_bit(key) / 8] |= (uint8_t)(1u << filter_bit(key) % 8);
        FACTS[entry].next = FACTS[head].next;
        FACTS[head].next = entry;
    }
    FACTS[entry].mask |= mask;
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

/* Whether any byte around an address is known for a key. */
int veer_fact_has(uint64_t key, uint64_t address) {
    uint32_t bit = filter_bit(key);
    return (FILTER[bit / 8] >> bit % 8 & 1) && entry_of(key, (uint32_t)(address >> 3), 0) != VEER_NONE;
}

/* Locals of frames that have ended are nobody's. */
static int is_dead(uint64_t address) {
    return address >= VEER_HOT->stack_pointer && address < VEER_STACK_BASE + (uint64_t)VEER_STACK_SIZE && address >= VEER_STACK_BASE;
}

/* The join around this one is told what was written before it, once for each. */
static void tell(struct veer_flow_fact *fact, uint64_t outer) {
    if (fact->told == outer && fact->told_mask == fact->mask) return;
    fact->told = outer;
    fact->told_mask = fact->mask;
    add(outer, fact->granule, fact->mask);
}

/* At the join: all that was ever written before it gets the flow of its branches, and was written before the join around it, too
   (`outer`, 0 = there is none). */
void veer_fact_apply(uint64_t key, uint32_t flow, uint64_t outer, uint32_t site) {
    uint32_t bit = filter_bit(key);
    if (!(FILTER[bit / 8] >> bit % 8 & 1)) return;
    uint32_t entry = entry_of(key, HEAD, 0);
    if (entry == VEER_NONE) return;
    for (entry = FACTS[entry].next; entry; entry = FACTS[entry].next) {
        struct veer_flow_fact *fact = &FACTS[entry];
        uint64_t address = (uint64_t)fact->granule << 3;
        if (is_dead(address)) continue;
        if (flow) veer_flow_add_masked(address, fact->mask, flow, site);
        if (outer) tell(fact, outer);
    }
}
