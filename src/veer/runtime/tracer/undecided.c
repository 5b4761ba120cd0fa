/* Pointer inputs: NULL, a fresh object, or an object that came before (docs/decisions/0002, 0095; CUTE sections 3.4 and 3.5).

       load          alternatives:  0 NULL, 1 fresh, 2 + k the k-th candidate
                     term:          ite(leaf == 0, 0, ite(leaf == 1, address of its own object, ite(leaf == 2, ...)))
       == and !=     a literal over the leaf, in a branch with two sides; nothing is decided
       all else      GUARDs leaf != 0, leaf != 1, ... up to the alternative that it is; then the address is concrete

   A pointer that is met without being decided gets addresses for the object of its own, which later pointers may lead to as well: that
   they do implies that this one leads there, which an ASSUME says. So each graph has one input: the first pointer to an object that was
   loaded is the one that makes it. */
#include "undecided.h"

#include "aliases.h"
#include "alternatives.h"
#include "elements.h"
#include "endings.h"
#include "engine/arena.h"
#include "engine/evaluate.h"
#include "events.h"
#include "flow_map.h"
#include "flows.h"
#include "growth.h"
#include "initialise.h"
#include "input_leaves.h"
#include "input_objects.h"
#include "leaf_state.h"
#include "open_calls.h"
#include "run.h"
#include "veer_harness.h"
#include "veer_runtime.h"

static uint32_t both(uint32_t op, uint32_t a, uint32_t b) { return a && b ? veer_expression(op, 1, a, b, 0) : 0; }

static uint32_t negation(uint32_t a) { return a ? veer_expression(VEER_OP_NOT, 1, a, 0, 0) : 0; }

/* The literal "the pointer's alternative is k". */
static uint32_t is_alternative(uint32_t leaf, uint64_t k) {
    uint32_t expression = veer_leaf_expression(leaf), number = veer_constant(64, k);
    return both(VEER_OP_EQ, expression, number);
}

static void constrain(uint32_t leaf, uint32_t site);

/* -- what a pointer may lead to ------------------------------------------------------------------------------------ */

static struct veer_input_object *candidate(const struct veer_leaf_state *state, uint64_t k) {
    return &INPUT_OBJECTS->of[ALTERNATIVES->candidates[state->first_candidate + k]];
}

static uint64_t address_in(const struct veer_input_object *object, const struct veer_type *pointer) {
    uint64_t inside;
    veer_leads_into(object, pointer, &inside);
    return veer_object_address(object) + inside;
}

static int may_lead_to(const struct veer_input_object *object, const struct veer_type *pointer) {
    uint64_t inside;
    return veer_leads_into(object, pointer, &inside);
}

/* Where the pointer leads with alternative k; it has its own object, or 1 is not possible. */
static uint64_t address_of(const struct veer_leaf_state *state, uint64_t k) {
    if (k == 0 || (k == 1 && !state->own)) return 0;
    const struct veer_input_object *object = k == 1 ? &INPUT_OBJECTS->of[state->own - 1] : candidate(state, k - 2);
    return address_in(object, state->type);
}

/* The object that holds a pointer, where that was planned before it was there (eager.c); NULL = it is there in any case. */
static struct veer_input_object *holder_of(uint32_t leaf) {
    const struct veer_leaf_state *state = &LEAF_STATES[leaf];
    return state->planned_epoch == RUN->epoch && state->holder ? &INPUT_OBJECTS->of[state->holder - 1] : NULL;
}

/* Whether the object is there, or may still come to be. */
static int may_exist(const struct veer_input_object *object) {
    if (object->state != VEER_OBJECT_POSSIBLE) return object->state == VEER_OBJECT_MADE;
    const struct veer_input_object *holder = holder_of(object->leaf);
    return veer_may_be(&LEAF_STATES[object->leaf], 1) && (!holder || may_exist(holder));
}

/* Whether the object is part of this run's graph. */
int veer_is_there(const struct veer_input_object *object) {
    if (object->state != VEER_OBJECT_POSSIBLE) return object->state == VEER_OBJECT_MADE && object->count > 0;
    const struct veer_input_object *holder = holder_of(object->leaf);
    return LEAF_STATES[object->leaf].alternative == 1 && (!holder || veer_is_there(holder));
}

/* Lists the objects that the pointer may lead to; 0 = they are too many for a term. */
static int collect(struct veer_leaf_state *state) {
    state->first_candidate = ALTERNATIVES->count;
    state->candidates = 0;
    for (uint32_t i = 0; i < INPUT_OBJECTS->count; i++) {
        const struct veer_input_object *object = &INPUT_OBJECTS->of[i];
        if (!may_exist(object) || !may_lead_to(object, state->type)) continue;
        uint32_t place = state->first_candidate + state->candidates;
        if (state->candidates + 2 == VEER_MOST_ALTERNATIVES || place == VEER_MAX_CANDIDATES) return 0;
        ALTERNATIVES->candidates[place] = i;
        state->candidates++;
    }
    ALTERNATIVES->count += state->candidates;
    return 1;
}

/* Alternatives that bounds and types exclude: bit 0 NULL, bit 1 a fresh object. */
static uint32_t excluded(const struct veer_leaf_state *state) {
    uint32_t flags = state->type->nullable ? 0 : 1;
    if (state->type->extent == VEER_EXTENT_FUNCTION) return flags; /* no object is made: no bound of graphs holds for it */
    if (state->depth >= INPUT_OBJECTS->graph_depth) veer_meet_bound(VEER_BOUND_DEPTH);
    if (state->depth >= INPUT_OBJECTS->graph_depth || INPUT_OBJECTS->made >= INPUT_OBJECTS->most) flags |= 2;
    return flags;
}

static void set_alternative(uint32_t leaf, uint64_t given, uint64_t value) {
    if (value != given) veer_set_leaf(leaf, value, VEER_INPUTS + VEER_CONTROL->input_bytes);
    LEAF_STATES[leaf].alternative = (uint32_t)value;
}

/* Whether pointers of that type stay open: where they lead says all about the object. */
static int is_open(const struct veer_type *pointer) {
    return pointer->extent == VEER_EXTENT_ONE || pointer->extent == VEER_EXTENT_COUNT || pointer->extent == VEER_EXTENT_FLEXIBLE;
}

/* -- pointers that are decided at their load ----------------------------------------------------------------------- */

/* The k-th object that is there and that the pointer may lead to, or NULL; how many there are through `count`. */
static struct veer_input_object *made_candidate(const struct veer_type *pointer, uint64_t k, uint32_t *count) {
    struct veer_input_object *found = NULL;
    *count = 0;
    for (uint32_t i = 0; i < INPUT_OBJECTS->count; i++) {
        struct veer_input_object *object = &INPUT_OBJECTS->of[i];
        if (object->state != VEER_OBJECT_MADE || !may_lead_to(object, pointer)) continue;
        if ((*count)++ == k) found = object;
    }
    return found;
}

/* The input's alternative, or the first that is possible. */
static uint64_t allowed(uint64_t value, uint32_t alternatives, uint32_t flags) {
    int null = !(flags & 1), fresh = !(flags & 2);
    if (value == 0 && null) return 0;
    if (value == 1 && fresh) return 1;
    if (value >= 2 && value < alternatives) return value;
    return value == 0 ? (fresh ? 1 : 2) : null ? 0 : fresh ? 1 : 2;
}

/* Decides whether an object that may come to be is there, and first whether what holds its pointer is. */
static void decide_existence(struct veer_input_object *object, uint32_t site) {
    struct veer_input_object *holder = holder_of(object->leaf);
    if (holder && holder->state == VEER_OBJECT_POSSIBLE) decide_existence(holder, site);
    if (holder && holder->state == VEER_OBJECT_NEVER) object->state = VEER_OBJECT_NEVER;
    else veer_decide_pointer(object->leaf, site);
}

/* A CHOICE among NULL, a fresh object, and the objects that are there. Those that may come to be are decided first, if this pointer may
   lead to them: they are no strings or buffers with a length. */
static void decide_at_load(uint32_t leaf, uint32_t flags, uint32_t site) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    const struct veer_type *pointer = state->type;
    uint32_t aliases;
    for (uint32_t i = 0; i < INPUT_OBJECTS->count; i++) {
        struct veer_input_object *object = &INPUT_OBJECTS->of[i];
        if (is_open(pointer) && object->state == VEER_OBJECT_POSSIBLE && may_lead_to(object, pointer))
            decide_existence(object, site);
    }
    made_candidate(pointer, 0, &aliases);
    if (flags == 3 && aliases == 0) flags = 2;
    uint32_t alternatives = 2 + aliases;
    uint64_t given = veer_leaf_input(leaf, alternatives), value = allowed(given, alternatives, flags);
    set_alternative(leaf, given, value);
    veer_record_leaf(leaf);
    if (flags != 1 || aliases) veer_choice_event(leaf, alternatives, (uint32_t)value, flags, site);
    state->decided_epoch = RUN->epoch;
    state->pointer = 0;
    if (value == 1 && pointer->extent == VEER_EXTENT_FUNCTION) {
        state->pointer = (uint64_t)(uintptr_t)pointer->function;
    } else if (value == 1) {
        struct veer_input_object *own = &INPUT_OBJECTS->of[veer_reserve_object(leaf, pointer, state->depth + 1, site) - 1];
        veer_make_object(own, site);
        state->pointer = address_in(own, pointer);
        veer_initialise_object(own, site);
    } else if (value >= 2) {
        struct veer_input_object *object = made_candidate(pointer, value - 2, &aliases);
        veer_record_target(object->leaf);
        if (!veer_object_fits(object, pointer, site)) veer_finish(VEER_OUTCOME_ASSUMPTION);
        state->pointer = address_in(object, pointer);
    }
}

/* -- pointers that stay open --------------------------------------------------------------------------------------- */

/* The address as a term over the leaf: of the alternatives that are possible, the last one needs no condition. */
static uint32_t term_of(uint32_t leaf) {
    const struct veer_leaf_state *state = &LEAF_STATES[leaf];
    uint32_t term = 0;
    for (uint32_t k = 2 + state->candidates; k-- > 0;) {
        if (!veer_may_be(state, k)) continue;
        uint32_t address = veer_constant(64, address_of(state, k)), condition = is_alternative(leaf, k);
        if (!address || !condition) return 0;
        term = term ? veer_expression(VEER_OP_ITE, 64, condition, address, term) : address;
        if (!term) return 0;
    }
    return term;
}

/* Whether the alternative can be this run's: the object of another pointer only if that one makes it. */
static int is_valid(const struct veer_leaf_state *state, uint64_t k) {
    return veer_may_be(state, k) && (k < 2 || veer_is_there(candidate(state, k - 2)));
}

/* What is decided is so from now on: the object that the pointer leads to is there, its own one otherwise never. */
static void follow(uint32_t leaf, uint32_t site) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    struct veer_input_object *own = state->own ? &INPUT_OBJECTS->of[state->own - 1] : NULL;
    const struct veer_input_object *holder = holder_of(leaf);
    state->decided_epoch = RUN->epoch;
    if (holder && holder->state == VEER_OBJECT_POSSIBLE) follow(holder->leaf, site);
    if (own && state->alternative == 1 && own->state == VEER_OBJECT_POSSIBLE) {
        veer_make_object(own, site);
        veer_initialise_object(own, site);
    }
    if (own && state->alternative != 1) own->state = VEER_OBJECT_NEVER;
    if (state->alternative < 2) return;
    const struct veer_input_object *object = candidate(state, state->alternative - 2);
    if (object->state == VEER_OBJECT_POSSIBLE) follow(object->leaf, site);
}

/* Fixes the pointer's alternatives and where it leads in this run, if it is in this run's graph at all (eager.c: it may be within an
   object that is not). 0 = it is one that is decided at its load. */
int veer_plan_pointer(uint32_t leaf, int is_there, uint32_t site) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    uint32_t flags = excluded(state);
    state->own = state->term = 0;
    state->possible = 0;
    if (!is_open(state->type) || flags == 3 || !collect(state)) return 0;
    uint32_t alternatives = 2 + state->candidates;
    uint64_t given = veer_leaf_input(leaf, alternatives), value = 0;
    state->possible = (alternatives == VEER_MOST_ALTERNATIVES ? ~0ull : (1ull << alternatives) - 1) & ~(uint64_t)flags;
    if (is_valid(state, given)) value = given;
    else
        while (!is_valid(state, value)) value++;
    set_alternative(leaf, given, value);
    if (is_there) veer_record_leaf(leaf);
    if (is_there && value >= 2) veer_record_target(candidate(state, value - 2)->leaf);
    if (!(flags & 2)) state->own = veer_reserve_object(leaf, state->type, state->depth + 1, site);
    state->pointer = address_of(state, value);
    return 1;
}

/* Objects that were ruled out since the pointer was planned are no alternatives any more. */
static void leave_out(struct veer_leaf_state *state) {
    for (uint32_t k = 0; k < state->candidates; k++)
        if (!may_exist(candidate(state, k))) state->possible &= ~(1ull << (2 + k));
}

/* The first load of the pointer in this run: its alternatives, and where it leads. */
static void meet(uint32_t leaf, uint32_t site) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    state->loaded_epoch = RUN->epoch;
    if (state->planned_epoch == RUN->epoch) {
        if (veer_is_decided(state)) return;
        leave_out(state);
    } else if (!veer_plan_pointer(leaf, 1, site)) {
        decide_at_load(leaf, excluded(state), site);
        return;
    }
    if ((state->possible & (state->possible - 1)) == 0) follow(leaf, site);
    else state->term = term_of(leaf);
}

/* What is the case if another pointer leads to the object: it is its own pointer's, or has an element; 0 = nothing else. */
static uint32_t exists_literal(const struct veer_input_object *object, uint32_t site) {
    if (object->state == VEER_OBJECT_MADE) return veer_first_element(object);
    constrain(object->leaf, site);
    const struct veer_input_object *holder = holder_of(object->leaf);
    uint32_t own = is_alternative(object->leaf, 1);
    return holder && holder->state != VEER_OBJECT_MADE ? both(VEER_OP_AND, own, exists_literal(holder, site)) : own;
}

/* Says which alternatives there are, before the first decision about the pointer. */
static void constrain(uint32_t leaf, uint32_t site) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    if (state->constrained_epoch == RUN->epoch) return;
    state->constrained_epoch = RUN->epoch;
    uint32_t expression = veer_leaf_expression(leaf), end = veer_constant(64, 2 + state->candidates);
    uint32_t literal = both(VEER_OP_ULT, expression, end);
    for (uint32_t k = 0; k < 2; k++)
        if (!veer_may_be(state, k)) literal = both(VEER_OP_AND, literal, negation(is_alternative(leaf, k)));
    veer_event(VEER_KIND_ASSUME, literal, 1, site);
    for (uint32_t k = 0; k < state->candidates; k++) {
        const struct veer_input_object *object = candidate(state, k);
        uint32_t exists = exists_literal(object, site);
        if (!exists) continue;
        literal = both(VEER_OP_OR, negation(is_alternative(leaf, 2 + k)), exists);
        veer_event(VEER_KIND_ASSUME, literal, 1, site);
    }
}

/* Where a pointer input leads, decided now unless it was before in this run. */
uint64_t veer_decide_pointer(uint32_t leaf, uint32_t site) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    if (veer_is_decided(state)) return state->pointer;
    if (state->type_epoch != RUN->epoch) return 0;
    if (state->loaded_epoch != RUN->epoch) meet(leaf, site);
    if (veer_is_decided(state)) return state->pointer;
    constrain(leaf, site);
    veer_mix_choice(leaf, state->alternative);
    for (uint32_t k = 0; k <= state->alternative; k++)
        if (veer_may_be(state, k) && state->possible != 1ull << k)
            veer_event(VEER_KIND_GUARD, negation(is_alternative(leaf, k)), k != state->alternative, site);
    follow(leaf, site);
    return state->pointer;
}

/* -- terms in the unit's values and memory ------------------------------------------------------------------------- */

/* The pointer input that a term is the address of, perhaps with a constant added; NONE = it is another kind of term. */
uint32_t veer_pointer_of(uint32_t shadow) {
    if (!veer_symbolic(shadow)) return VEER_NONE;
    const struct veer_node *node = &VEER_NODES[shadow];
    if (node->op == VEER_OP_ADD && node->width == 64 && VEER_NODES[node->b].op == VEER_OP_CONST) {
        shadow = node->a;
        node = &VEER_NODES[shadow];
    }
    if (node->op != VEER_OP_ITE || node->width != 64 || node->support == 0 || node->support >> 31) return VEER_NONE;
    const struct veer_leaf_state *state = &LEAF_STATES[node->support - 1];
    return state->loaded_epoch == RUN->epoch && state->term == shadow ? node->support - 1 : VEER_NONE;
}

/* A shadow without open pointers: such a pointer is decided and concrete from now on. */
uint32_t veer_settle(uint32_t shadow, uint32_t site) {
    uint32_t leaf = veer_pointer_of(shadow);
    if (leaf == VEER_NONE) return shadow;
    veer_decide_pointer(leaf, site);
    return 0;
}

/* The shadow of the 8 bytes there if they are a pointer input, met now and left open; 0 = they are not. */
uint32_t veer_load_pointer(uint64_t address, uint32_t site) {
    uint32_t *words = veer_words(address), expression = words[0];
    if (expression < VEER_FIRST_EXPRESSION || expression >> VEER_FRAGMENT_SHIFT || veer_is_called_back()) return 0;
    for (uint32_t k = 1; k < 8; k++)
        if (words[k] != (k << VEER_FRAGMENT_SHIFT | expression)) return 0;
    const struct veer_node *node = &VEER_NODES[expression];
    if (node->op == VEER_OP_LEAF && VEER_LEAVES[node->a].kind == VEER_LEAFKIND_CHOICE) {
        struct veer_leaf_state *state = &LEAF_STATES[node->a];
        if (state->type_epoch != RUN->epoch) return 0;
        if (state->loaded_epoch != RUN->epoch) meet(node->a, site);
        if (veer_is_decided(state) || !state->term) return 0;
        *(uint64_t *)(uintptr_t)address = state->pointer;
        if (veer_has_flows()) veer_flow_pointer(address);
        for (uint32_t k = 0; k < 8; k++) words[k] = k << VEER_FRAGMENT_SHIFT | state->term;
        return state->term;
    }
    uint32_t leaf = veer_pointer_of(expression);
    return leaf != VEER_NONE && !veer_is_decided(&LEAF_STATES[leaf]) ? expression : 0;
}

/* -- comparisons ---------------------------------------------------------------------------------------------------- */

/* The literal "the pointer plus `offset` is `value`". */
static uint32_t equals_value(uint32_t leaf, uint64_t offset, uint64_t value) {
    const struct veer_leaf_state *state = &LEAF_STATES[leaf];
    for (uint32_t k = 0; k < 2 + state->candidates; k++)
        if ((k != 1 || state->own) && address_of(state, k) + offset == value) return is_alternative(leaf, k);
    return veer_constant(1, 0);
}

/* The literal that two open pointers, with what is added to them, are equal. */
static uint32_t equal_both(uint32_t left, uint64_t left_offset, uint32_t right, uint64_t right_offset) {
    const struct veer_leaf_state *state = &LEAF_STATES[left];
    if (left == right) return veer_constant(1, left_offset == right_offset);
    uint32_t result = veer_constant(1, 0);
    for (uint32_t k = 0; k < 2 + state->candidates; k++) {
        if (k == 1 && !state->own) continue;
        uint32_t other = equals_value(right, right_offset, address_of(state, k) + left_offset);
        result = both(VEER_OP_OR, both(VEER_OP_AND, is_alternative(left, k), other), result);
    }
    return result;
}

/* Whether == or != compares open pointers with each other or with a concrete address; then *equal is the term of their equality, 0 if
   there is no room for it. Otherwise pointers are decided. */
int veer_compare_pointers(uint32_t *sa, uint64_t a, uint32_t *sb, uint64_t b, uint32_t *equal) {
    uint32_t left = veer_pointer_of(*sa), right = veer_pointer_of(*sb), site = veer_here();
    if (left != VEER_NONE && ((veer_symbolic(*sb) && right == VEER_NONE) || veer_is_decided(&LEAF_STATES[left]))) {
        *sa = veer_settle(*sa, site);
        left = VEER_NONE;
    }
    if (right != VEER_NONE && (veer_symbolic(*sa) ? left == VEER_NONE : 0)) *sb = veer_settle(*sb, site), right = VEER_NONE;
    if (right != VEER_NONE && veer_is_decided(&LEAF_STATES[right])) *sb = 0, right = VEER_NONE;
    if (left == VEER_NONE && right == VEER_NONE) return 0;
    if (left != VEER_NONE) constrain(left, site);
    if (right != VEER_NONE) constrain(right, site);
    uint64_t left_offset = left != VEER_NONE ? a - LEAF_STATES[left].pointer : 0;
    uint64_t right_offset = right != VEER_NONE ? b - LEAF_STATES[right].pointer : 0;
    if (left == VEER_NONE) *equal = equals_value(right, right_offset, a);
    else if (right == VEER_NONE) *equal = equals_value(left, left_offset, b);
    else *equal = equal_both(left, left_offset, right, right_offset);
    return 1;
}
