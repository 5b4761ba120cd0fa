/* Decisions: each becomes an event of the trace unless it is no decision (a constant) or was made before in this run. */
#include "events.h"

#include <string.h>

#include "alternatives.h"
#include "callees.h"
#include "endings.h"
#include "engine/ledger.h"
#include "known.h"
#include "levels.h"
#include "refusals.h"
#include "run.h"
#include "sites.h"
#include "specifications.h"
#include "uninitialised.h"
#include "veer_runtime.h"
#include "verify.h"
#include "words.h"

/* Room for one more event, or the end of the run. */
static struct veer_event *new_event(void) {
    if (VEER_CONTROL->trace_count >= VEER_TRACE_CAPACITY) {
        if (!EVENTS->trace_full) {
            EVENTS->trace_full = 1;
            veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_TRACE);
        }
        veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the run made more symbolic decisions than the trace holds");
    }
    return &VEER_TRACE[VEER_CONTROL->trace_count];
}

/* What the run's decisions are marked with. In a compositional run each activation says itself all that it relies on, so what its
   callers or callees decided is asked again. */
static uint32_t mark(void) {
    if (!VEER_CONTROL->compositional) return RUN->epoch;
    return LEVELS->count > 1 ? LEVELS->of[LEVELS->count - 1].serial : LEVELS->first_serial;
}

/* Whether this literal is no constant, and neither it nor its negation was decided in this run before (or nothing is dropped for
   that, --without events); marks it. */
static int is_decision(uint32_t literal) {
    const struct veer_node *nodes = VEER_NODES;
    while (nodes[literal].op == VEER_OP_NOT) literal = nodes[literal].a;
    if (nodes[literal].op == VEER_OP_CONST) return 0;
    int repeated = EVENTS->literal_marks[literal] == mark();
    EVENTS->literal_marks[literal] = mark();
    return !repeated || VEER_CONTROL->switched_off & VEER_SWITCH_EVENTS;
}

/* veer_is_pinned in a run that has pinned something. */
int veer_was_pinned(uint32_t term) {
    const struct veer_node *node = &VEER_NODES[term];
    if (node->width > 1 && EVENTS->literal_marks[term] == mark()) return 1;
    if (node->op != VEER_OP_ZEXT && node->op != VEER_OP_SEXT) return 0;
    return VEER_NODES[node->a].width > 1 && EVENTS->literal_marks[node->a] == mark();
}

/* Ends a run that has a limit of its work, and is past it. */
static void give_up_late(void) {
    struct veer_control *control = VEER_CONTROL;
    if (control->symbolic_operations + control->evaluated_nodes < control->work_limit) return;
    control->is_given_up = 1;
    veer_finish(VEER_OUTCOME_CAPACITY);
}

/* Appends the decision `literal` (an expression of width 1, 0 = none), whose value in this run is `holds`. The literal keeps its NOT,
   so that alternative 1 always means "this literal holds", and a branch's alternative is its side. */
void veer_event(uint32_t kind, uint32_t literal, uint32_t holds, uint32_t site) {
    if (!veer_symbolic(literal) || veer_past_bound()) return;
    if (VEER_CONTROL->work_limit) give_up_late();
    literal = veer_written(literal, site);
    if (!literal) return;
    veer_verify(literal, holds);
    if (!is_decision(literal)) return;
    int is_compositional = VEER_CONTROL->compositional != 0; /* an activation relies on its own decisions alone */
    int is_settled = !is_compositional && !(VEER_CONTROL->switched_off & VEER_SWITCH_EVENTS) && !veer_learn(literal, holds);
    if (is_settled && veer_is_library_site(site)) return;
    struct veer_event *event = new_event();
    *event = (struct veer_event){.kind = (uint8_t)kind,
                                 .flags = is_settled ? VEER_EVENTFLAG_SETTLED : 0,
                                 .alternatives = 2,
                                 .alternative = holds,
                                 .literal = literal,
                                 .site = site,
                                 .context = veer_context(),
                                 .watched = SPECIFICATIONS->watched};
    VEER_CONTROL->current_hash = veer_path_identity();
    VEER_CONTROL->trace_count++;
    veer_note_literal(literal, holds);
}

/* A number for the place of a leaf that does not depend on the order in which a search came upon its leaves. */
static uint64_t place_of(uint32_t leaf) {
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    const struct veer_object *object = &VEER_OBJECTS[record->object];
    uint64_t hash = object->occurrence + 1;
    if (object->via != VEER_NONE)
        hash = (hash ^ place_of(object->via)) * VEER_HASH_MULTIPLIER;
    else
        for (const char *name = VEER_REGION(char, NAMES) + object->name; *name; name++)
            hash = (hash ^ (uint8_t)*name) * VEER_HASH_MULTIPLIER;
    return (hash ^ record->offset) * VEER_HASH_MULTIPLIER;
}

/* Mixes the alternative of a pointer into the path's identity. */
void veer_mix_choice(uint32_t leaf, uint32_t alternative) {
    EVENTS->choice_hash = (EVENTS->choice_hash ^ (place_of(leaf) + alternative + 1)) * VEER_HASH_MULTIPLIER;
}

/* Mixes the function that an indirect call reaches into the path's identity: it is a choice of the path, as a branch is. */
void veer_mix_callee(uint32_t site, uint64_t function) {
    uint64_t pair = (uint64_t)site << 32 ^ (function + 1);
    EVENTS->choice_hash = (EVENTS->choice_hash ^ pair) * VEER_HASH_MULTIPLIER;
    veer_note_callee((pair * VEER_HASH_MULTIPLIER) | 1);
}

/* The path's identity: its source branches and its choices, each in their order; how they lie between each other follows from both. */
uint64_t veer_path_identity(void) {
    uint64_t choices = EVENTS->choice_hash;
    return VEER_HOT->path_hash ^ choices ^ choices >> 32;
}

/* Appends an n-way decision and mixes it into the path's identity. */
void veer_choice_event(uint32_t leaf, uint32_t alternatives, uint32_t alternative, uint32_t flags, uint32_t site) {
    veer_refuse_levels(VEER_REFUSAL_INPUT);
    veer_mix_choice(leaf, alternative);
    if (veer_past_bound()) return;
    struct veer_event *event = new_event();
    *event = (struct veer_event){.kind = VEER_KIND_CHOICE,
                                 .flags = (uint8_t)flags,
                                 .alternatives = (uint16_t)alternatives,
                                 .alternative = alternative,
                                 .literal = leaf,
                                 .site = site,
                                 .context = veer_context(),
                                 .watched = SPECIFICATIONS->watched};
    VEER_CONTROL->current_hash = veer_path_identity();
    VEER_CONTROL->trace_count++;
}

void veer_branch(uint32_t condition, uint32_t taken, uint32_t site) {
    veer_event(VEER_KIND_BRANCH, condition, taken & 1, site);
}

void veer_check(uint32_t condition, uint32_t good, uint32_t site) {
    veer_event(VEER_KIND_CHECK, condition, good & 1, site);
}

/* The term has one value from now on in this run. */
void veer_mark_pinned(uint32_t term) {
    EVENTS->literal_marks[term] = mark();
    EVENTS->has_pins = 1;
}

/* A run begins. */
void veer_events_begin(void) {
    EVENTS->trace_full = 0;
    EVENTS->has_pins = 0;
    EVENTS->choice_hash = 0;
    veer_callees_begin();
}

/* Marks of all runs are void: their numbers are used again. */
void veer_events_forget(void) { memset(EVENTS->literal_marks, 0, sizeof EVENTS->literal_marks); }
