/* Decisions: each becomes an event of the trace unless it is no decision (a constant) or was made before in this run. */
#include <stdio.h>
#include <unistd.h>

#include "tracer.h"

/* The call string of the innermost activation, interned lazily: frames[].context holds the id + 1. */
uint32_t veer_context(void) {
    struct veer_frame *frames = VEER_HOT->frames;
    uint32_t depth = VEER_HOT->depth, known = depth, context = 0;
    while (known > 0 && frames[known - 1].context == 0) known--;
    if (known > 0) context = frames[known - 1].context - 1;
    for (; known < depth; known++) {
        context = veer_intern_context(context, frames[known].site);
        if (context == VEER_NONE) return 0;
        frames[known].context = context + 1;
    }
    return context;
}

/* Absolute symbols: the sites of veer's own libc (frontends/llvm/assembly.py). */
extern const char veer_library_begin[] __attribute__((weak)), veer_library_end[] __attribute__((weak));

static int is_library_site(uint32_t site) {
    uint32_t first = (uint32_t)(uintptr_t)veer_library_begin, end = (uint32_t)(uintptr_t)veer_library_end;
    return site - first < end - first;
}

uint32_t veer_user_site(uint32_t site) {
    for (uint32_t depth = VEER_HOT->depth; is_library_site(site) && depth > 0;) site = VEER_HOT->frames[--depth].site;
    return site;
}

void veer_verify_value(uint32_t expression, uint64_t value) {
    if (expression < VEER_FIRST_EXPRESSION) return;
    veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
    uint64_t mask = veer_mask(VEER_NODES[expression].width);
    uint64_t expected = veer_evaluate(expression) & mask;
    if (expected == (value & mask)) return;
    dprintf(TRACER->errors, "veer: expression %u (operator %u, width %u) is %llu, but the program has %llu\n", expression,
            VEER_NODES[expression].op, VEER_NODES[expression].width, (unsigned long long)expected,
            (unsigned long long)(value & mask));
    _exit(99);
}

/* Room for one more event, or the end of the run. */
static struct veer_event *new_event(void) {
    if (VEER_CONTROL->trace_count >= VEER_TRACE_CAPACITY) {
        if (!TRACER->trace_full) {
            TRACER->trace_full = 1;
            veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_TRACE);
        }
        veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the run made more symbolic decisions than the trace holds");
    }
    return &VEER_TRACE[VEER_CONTROL->trace_count];
}

/* What the run's decisions are marked with. In a compositional run each activation says itself all that it relies on, so what its
   callers or callees decided is asked again. */
static uint32_t mark(void) {
    const struct veer_tracer *tracer = TRACER;
    if (!VEER_CONTROL->compositional) return tracer->epoch;
    return tracer->level_count > 1 ? tracer->levels[tracer->level_count - 1].serial : tracer->first_serial;
}

/* Whether this literal is no constant, and neither it nor its negation was decided in this run before (or nothing is dropped for
   that, --without events); marks it. */
static int is_decision(uint32_t literal) {
    const struct veer_node *nodes = VEER_NODES;
    while (nodes[literal].op == VEER_OP_NOT) literal = nodes[literal].a;
    if (nodes[literal].op == VEER_OP_CONST) return 0;
    int repeated = TRACER->literal_marks[literal] == mark();
    TRACER->literal_marks[literal] = mark();
    return !repeated || VEER_CONTROL->switched_off & VEER_SWITCH_EVENTS;
}

/* veer_is_pinned in a run that has pinned something. */
int veer_was_pinned(uint32_t term) {
    const struct veer_node *node = &VEER_NODES[term];
    if (node->width > 1 && TRACER->literal_marks[term] == mark()) return 1;
    if (node->op != VEER_OP_ZEXT && node->op != VEER_OP_SEXT) return 0;
    return VEER_NODES[node->a].width > 1 && TRACER->literal_marks[node->a] == mark();
}

/* Appends the decision `literal` (an expression of width 1, 0 = none), whose value in this run is `holds`. The literal keeps its NOT,
   so that alternative 1 always means "this literal holds", and a branch's alternative is its direction. */
void veer_event(uint32_t kind, uint32_t literal, uint32_t holds, uint32_t site) {
    if (!veer_symbolic(literal) || veer_past_bound()) return;
    veer_verify(literal, holds);
    if (!is_decision(literal)) return;
    int is_compositional = VEER_CONTROL->compositional != 0; /* an activation relies on its own decisions alone */
    int is_settled = !is_compositional && !(VEER_CONTROL->switched_off & VEER_SWITCH_EVENTS) && !veer_learn(literal, holds);
    if (is_settled && is_library_site(site)) return;
    struct veer_event *event = new_event();
    *event = (struct veer_event){.kind = (uint8_t)kind,
                                 .flags = is_settled ? VEER_EVENTFLAG_SETTLED : 0,
                                 .alternatives = 2,
                                 .alternative = holds,
                                 .literal = literal,
                                 .site = site,
                                 .context = veer_context()};
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
    TRACER->choice_hash = (TRACER->choice_hash ^ (place_of(leaf) + alternative + 1)) * VEER_HASH_MULTIPLIER;
}

/* The path's identity: its source branches and its choices, each in their order; how they lie between each other follows from both. */
uint64_t veer_path_identity(void) {
    uint64_t choices = TRACER->choice_hash;
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
                                 .context = veer_context()};
    VEER_CONTROL->current_hash = veer_path_identity();
    VEER_CONTROL->trace_count++;
}

void veer_branch(uint32_t condition, uint32_t taken, uint32_t site) {
    veer_event(VEER_KIND_BRANCH, condition, taken & 1, site);
}

void veer_check(uint32_t condition, uint32_t good, uint32_t site) {
    veer_event(VEER_KIND_CHECK, condition, good & 1, site);
}

void veer_switch(uint32_t shadow, uint64_t value, uint32_t width, uint32_t first_site, uint32_t count, const uint64_t *cases) {
    uint64_t mask = veer_mask(width);
    shadow = veer_settle(shadow, first_site);
    if (!veer_symbolic(shadow) || veer_past_bound()) return;
    veer_verify(shadow, value);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t holds = (cases[k] & mask) == (value & mask);
        uint32_t constant = veer_constant(width, cases[k] & mask);
        uint32_t literal = constant ? veer_expression(VEER_OP_EQ, 1, shadow, constant, 0) : 0;
        veer_event(VEER_KIND_BRANCH, literal, holds, first_site + k);
        if (holds) return;
    }
}

/* One link of a pin: GUARD `shadow == candidate`. */
static void pin_link(uint32_t shadow, uint32_t width, uint64_t candidate, uint32_t holds, uint32_t site) {
    uint32_t constant = veer_constant(width, candidate);
    uint32_t literal = constant ? veer_expression(VEER_OP_EQ, 1, shadow, constant, 0) : 0;
    veer_event(VEER_KIND_GUARD, literal, holds, site);
}

/* Appends `value` to the chain behind `*link`; 0 if the table is full. */
static int append_pin(uint32_t *link, uint64_t value) {
    struct veer_pin_link *pins = VEER_REGION(struct veer_pin_link, PINS);
    uint32_t index = pins[0].next + 1;
    if (index >= VEER_PINS_CAPACITY) return 0;
    pins[index] = (struct veer_pin_link){.value = value};
    pins[0].next = index;
    *link = index;
    return 1;
}

/* Fixes a symbolic value to the one it has. All values that any run of the campaign saw are asked in the order of their
   discovery, up to the one that holds, so that the chain of guards is the same whoever walks it first. */
void veer_pin(uint32_t shadow, uint64_t value, uint32_t width, uint32_t site) {
    uint64_t known;
    shadow = veer_settle(shadow, site);
    if (!veer_symbolic(shadow) || veer_past_bound() || veer_is_constant(shadow, &known)) return;
    struct veer_pin_link *pins = VEER_REGION(struct veer_pin_link, PINS);
    uint32_t *link = &VEER_REGION(uint32_t, PIN_FIRST)[shadow];
    value &= veer_mask(width);
    veer_verify(shadow, value);
    VEER_CONTROL->pinned_operations++;
    for (uint32_t asked = 0; asked < VEER_MAX_PINS; asked++) {
        if (*link == 0 && !append_pin(link, value)) break;
        uint32_t holds = pins[*link].value == value;
        pin_link(shadow, width, pins[*link].value, holds, site);
        if (holds) {
            if (width > 1) {
                TRACER->literal_marks[shadow] = mark();
                TRACER->has_pins = 1;
            }
            return;
        }
        link = &pins[*link].next;
    }
    VEER_CONTROL->pinned_operations--;
    veer_unsupported(site, VEER_LOSS_ADDRESS);
}
