/* Sets of input leaves, hash-consed for the whole campaign in shared memory. The sets that were ever made are the flow map's facts:
   whatever variable got such a set, its inputs belong together (algorithm 1, lines 12 and 13). Each keeps who made it first. */
#include "flow_sets.h"

#include <string.h>

#include "engine/hash.h"
#include "engine/leaves.h"
#include "engine/ledger.h"
#include "flow_map.h"
#include "found.h"
#include "globals.h"
#include "image.h"
#include "places.h"
#include "veer_shared.h"

enum { FLOW_MEMO = 1 << 15 };

struct flow_union {
    uint64_t key;
    uint32_t result;
};

struct veer_flow_sets {
    struct flow_union memo[FLOW_MEMO]; /* unions that were made before */
    uint32_t scratch[1u << 18];
    uint32_t leaf_flows[VEER_LEAVES_CAPACITY];
};
VEER_FLOW_STATE_FITS(flow_sets);
#define FLOW_SETS VEER_FLOW_STATE(flow_sets)

#define SETS VEER_REGION(struct veer_flow_set, FLOW_SETS)
#define MEMBERS VEER_REGION(uint32_t, FLOW_MEMBERS)
#define SLOTS VEER_REGION(uint32_t, FLOW_TABLE)
#define SCRATCH (sizeof FLOW_SETS->scratch / sizeof(uint32_t))

static uint32_t no_room(uint32_t instead) {
    veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_FLOWS);
    return instead;
}

static uint64_t hash_of(const uint32_t *leaves, uint32_t count) {
    uint64_t hash = count;
    for (uint32_t k = 0; k < count; k++) hash = mix(hash, leaves[k]);
    return hash;
}

/* The global variable around an address, for whoever asks what the witness of a merge is. */
static void name_variable(struct veer_flow_set *set, uint64_t address) {
    int is_global = address >= IMAGE->begin && address < IMAGE->end;
    struct veer_found found = is_global ? veer_find_global(address) : (struct veer_found){0};
    uint32_t name = found.region && found.name ? veer_intern_name(found.name) : VEER_NONE;
    if (name == VEER_NONE) return;
    set->name = name + 1;
    set->offset = (uint32_t)(address - found.base);
}

/* The set of these ascending leaves; made as `origin` says if it is new. `instead`: when there is no room. */
static uint32_t intern(const uint32_t *leaves, uint32_t count, struct veer_flow_set origin, uint64_t address, uint32_t instead) {
    struct veer_control *control = VEER_CONTROL;
    uint64_t slot = hash_of(leaves, count) & (VEER_FLOW_TABLE_CAPACITY - 1);
    for (; SLOTS[slot]; slot = (slot + 1) & (VEER_FLOW_TABLE_CAPACITY - 1)) {
        const struct veer_flow_set *set = &SETS[SLOTS[slot]];
        if (set->count == count && memcmp(MEMBERS + set->first, leaves, count * sizeof *leaves) == 0) return SLOTS[slot];
    }
    uint32_t id = control->flow_set_count ? control->flow_set_count : 1, first = control->flow_member_count;
    if (id >= VEER_FLOW_SETS_CAPACITY || count > VEER_FLOW_MEMBERS_CAPACITY - first) return no_room(instead);
    memcpy(MEMBERS + first, leaves, count * sizeof *leaves);
    origin.first = first;
    origin.count = count;
    name_variable(&origin, address);
    SETS[id] = origin;
    SLOTS[slot] = id;
    control->flow_member_count = first + count;
    __atomic_store_n(&control->flow_set_count, id + 1, __ATOMIC_RELEASE);
    return id;
}

/* What an input leaf is at first: its own block (algorithm 1, line 5). A pointer's alternative belongs to every block. */
uint32_t veer_flow_leaf(uint32_t leaf) {
    uint32_t *known = &FLOW_SETS->leaf_flows[leaf];
    if (*known || VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHOICE) return *known;
    return *known = intern(&leaf, 1, (struct veer_flow_set){.kind = VEER_FLOWKIND_INPUT, .site = VEER_NONE}, 0, 0);
}

/* The members of both, ascending, in the scratch; how many, or more than there is room for. */
static uint32_t merge(const struct veer_flow_set *left, const struct veer_flow_set *right) {
    const uint32_t *a = MEMBERS + left->first, *b = MEMBERS + right->first;
    const uint32_t *a_end = a + left->count, *b_end = b + right->count;
    uint32_t *to = FLOW_SETS->scratch, count = 0;
    if ((uint64_t)left->count + right->count > SCRATCH) return UINT32_MAX;
    while (a < a_end || b < b_end) {
        uint32_t next = a == a_end ? *b : b == b_end ? *a : *a < *b ? *a : *b;
        a += a < a_end && *a == next;
        b += b < b_end && *b == next;
        to[count++] = next;
    }
    return count;
}

/* The union of two sets that are not empty. */
uint32_t veer_flow_unite(uint32_t left, uint32_t right, uint32_t kind, uint32_t site, uint64_t address) {
    struct veer_flow_sets *state = FLOW_SETS;
    uint64_t key = left < right ? (uint64_t)left << 32 | right : (uint64_t)right << 32 | left;
    struct flow_union *known = &state->memo[mix(key, 1) & (FLOW_MEMO - 1)];
    if (known->key == key) return known->result;
    uint32_t count = merge(&SETS[left], &SETS[right]);
    if (count == UINT32_MAX) return no_room(left);
    struct veer_flow_set origin = {.left = left, .right = right, .site = site, .kind = kind};
    uint32_t result = intern(state->scratch, count, origin, address, left);
    *known = (struct flow_union){.key = key, .result = result};
    return result;
}
