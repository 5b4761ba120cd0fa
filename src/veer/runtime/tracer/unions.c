/* Unions with pointers among their members: what is read first says which member is held (docs/decisions/0172).

       union { long number; struct node *child; }      made: .number, all values of its bytes
       n->u.number                                      read: it is a number from now on in this run
       n->u.child->key                                  it is a pointer: NULL, fresh or an alias

   A pointer that lies where no other member does is made at once. One that shares its bytes is offered to the first leaf that lies
   there. The load of a member takes it, or keeps the number; the instrumenter says its name. A load without such a name copies the
   union: what it holds is then an input of its own, decided by GUARDs. A number that is read after the pointer was taken elsewhere would
   have to be the address: such a run ends. */
#include "unions.h"

#include "endings.h"
#include "engine/arena.h"
#include "engine/leaves.h"
#include "engine/ledger.h"
#include "events.h"
#include "input_leaves.h"
#include "memory_map.h"
#include "run.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_shared.h"
#include "waiting.h"
#include "words.h"

static uint32_t leaf_in(uint32_t word) {
    const struct veer_node *node = &VEER_NODES[word & VEER_EXPRESSION_MASK];
    return word >= VEER_FIRST_EXPRESSION && node->op == VEER_OP_LEAF ? node->a : VEER_NONE;
}

/* The other members' pointers are the fields from `count` on, numbered from 1 on. */
static const struct veer_field *field_of(const struct veer_type *unite, uint32_t member) { return &unite->fields[unite->count + member - 1]; }

/* Offers a pointer to what was made in its eight bytes; if nothing was, it is made. */
static void offer(uint64_t address, const struct veer_type *unite, uint32_t member, struct veer_place place) {
    const uint32_t *words = veer_words(address);
    uint32_t first = leaf_in(words[0]), is_free = 1;
    for (uint32_t i = 0; i < 8; i++) is_free &= words[i] < VEER_FIRST_EXPRESSION;
    if (is_free) {
        veer_make_pointer(address, field_of(unite, member)->type, place, member);
        return;
    }
    if (first == VEER_NONE || VEER_LEAVES[first].offset != place.offset) return;
    struct veer_leaf_state *state = &LEAF_STATES[first];
    if (state->offered_epoch != RUN->epoch) state->offered = 0;
    if (state->offered == VEER_MAX_OFFERED) return;
    state->offered_epoch = RUN->epoch;
    state->unite = unite;
    state->members[state->offered++] = (uint8_t)member;
    state->holder_place = place;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t leaf = leaf_in(words[i]);
        if (leaf == VEER_NONE) continue;
        LEAF_STATES[leaf].shared = first;
        LEAF_STATES[leaf].shared_epoch = RUN->epoch;
    }
    UNIONS->are_there = 1;
}

/* Behind what was made of a union: its other members' pointers. */
void veer_offer_members(uint64_t address, const struct veer_type *type, struct veer_place place) {
    uint32_t is_eager = WAITING->is_eager;
    if (address >= VEER_LOW_END) return;
    WAITING->is_eager = 0; /* whether a pointer has a place of its own is seen in memory alone: it is planned when it is met */
    for (uint32_t member = 1; member <= type->maximum && member <= UINT8_MAX; member++) {
        struct veer_place inner = place;
        inner.offset += field_of(type, member)->offset;
        offer(address + field_of(type, member)->offset, type, member, inner);
    }
    WAITING->is_eager = is_eager;
}

/* Whether the eight bytes are as they were made: no store has changed them. */
static int is_as_made(uint64_t address, uint32_t first) {
    const uint8_t *bytes = (const uint8_t *)(uintptr_t)address;
    for (uint32_t i = 0; i < 8; i++) {
        uint32_t word = veer_words(address)[i], leaf = leaf_in(word);
        if (leaf == VEER_NONE && (word >= VEER_FIRST_EXPRESSION || bytes[i] != 0)) return 0;
        if (leaf != VEER_NONE && (LEAF_STATES[leaf].shared_epoch != RUN->epoch || LEAF_STATES[leaf].shared != first)) return 0;
    }
    return 1;
}

/* Which of `count` pointers is held: an input of its own, decided by GUARDs. */
static uint32_t choose(const struct veer_leaf_state *state, uint32_t count, uint32_t site) {
    const struct veer_place *place = &state->holder_place;
    uint32_t leaf = veer_intern_leaf(place->object, VEER_UNION_OFFSET | place->offset, 32, VEER_LEAFKIND_UNSIGNED, 0, count - 1);
    if (leaf == VEER_NONE) return 0;
    uint64_t held = veer_leaf_input(leaf, 0);
    LEAF_STATES[leaf].epoch = RUN->epoch; /* made, but no cell of the object: it is not recorded */
    uint32_t expression = veer_leaf_expression(leaf);
    for (uint32_t k = 0; k + 1 < count; k++) {
        uint32_t number = veer_constant(32, k);
        uint32_t literal = number && expression ? veer_expression(VEER_OP_EQ, 1, expression, number, 0) : 0;
        veer_event(VEER_KIND_GUARD, literal, held == k, site);
        if (held == k) return k;
    }
    return count - 1;
}

/* Whether a member of which the inputs were made is called so, and no pointer that is offered. */
static int is_made_name(const struct veer_type *unite, uint32_t name) {
    const struct veer_field *names = unite->fields + unite->count + unite->maximum;
    for (uint64_t k = 0; k < unite->low; k++)
        if (names[k].spare == name) return 1;
    return 0;
}

/* Which member lies there from now on: the one that the source names, else each of them; 0 = what was made. */
static uint32_t take(const struct veer_leaf_state *state, uint32_t is_pointer, uint32_t name, uint32_t site) {
    if (state->unite->high) return is_pointer ? state->members[0] : 0; /* an argument that va_arg() gives */
    for (uint32_t k = 0; k < state->offered && name && is_pointer; k++)
        if (field_of(state->unite, state->members[k])->spare == name) return state->members[k];
    if (name && is_made_name(state->unite, name)) return 0;
    uint32_t held = choose(state, state->offered + 1u, site);
    return held ? state->members[held - 1] : 0;
}

/* Eight bytes are loaded: they are one of the pointers, if they still may be and are not read as a number. The load of a member says its
   name; one that copies a union (an argument by value, a struct in registers) does not, and then each member is tried. */
void veer_take_member(uint64_t address, uint32_t is_pointer, uint32_t name, uint32_t site) {
    uint32_t first = leaf_in(veer_words(address)[0]);
    if (first == VEER_NONE || LEAF_STATES[first].offered_epoch != RUN->epoch) return;
    struct veer_leaf_state *state = &LEAF_STATES[first];
    if (state->read_epoch == RUN->epoch || !is_as_made(address, first)) return;
    if (state->taken_epoch != RUN->epoch) {
        if (!is_pointer && VEER_LEAVES[first].kind != VEER_LEAFKIND_CHOICE && name && is_made_name(state->unite, name)) return;
        state->taken = (uint8_t)take(state, is_pointer, name, site);
        state->taken_epoch = RUN->epoch;
    }
    if (state->taken == 0) return;
    veer_make_pointer(address, field_of(state->unite, state->taken)->type, state->holder_place, state->taken);
    uint32_t made = leaf_in(veer_words(address)[0]);
    if (made != VEER_NONE) LEAF_STATES[made].object = state->object;
}

/* Bytes are read as a number: they are no pointer from now on. */
void veer_read_member(uint64_t address, uint32_t size, uint32_t site) {
    for (uint32_t i = 0; i < size; i++) {
        uint32_t leaf = leaf_in(veer_words(address)[i]);
        if (leaf == VEER_NONE || LEAF_STATES[leaf].shared_epoch != RUN->epoch) continue;
        struct veer_leaf_state *state = &LEAF_STATES[LEAF_STATES[leaf].shared];
        if (state->taken_epoch == RUN->epoch && state->taken) {
            veer_note_loss(VEER_LOSS_UNSUPPORTED, veer_user_site(site));
            veer_end_run(VEER_OUTCOME_UNSUPPORTED, site, "a pointer in a union was read as a number");
        }
        state->read_epoch = RUN->epoch;
    }
}

/* Whether a pointer may be taken there: the cell is no part of a term. */
int veer_is_offered(uint64_t address) {
    uint32_t first = leaf_in(veer_words(address)[0]);
    return first != VEER_NONE && LEAF_STATES[first].offered_epoch == RUN->epoch;
}

void veer_unions_begin(void) { UNIONS->are_there = 0; }
