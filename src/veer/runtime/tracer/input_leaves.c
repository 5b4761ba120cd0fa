/* Input leaves get their value from the run's input, are written into memory, and carry their expression in the shadow. */
#include "input_leaves.h"

#include <string.h>

#include "endings.h"
#include "engine/arena.h"
#include "engine/bits.h"
#include "engine/evaluate.h"
#include "engine/leaves.h"
#include "engine/ledger.h"
#include "flow_map.h"
#include "flow_sets.h"
#include "flows.h"
#include "globals.h"
#include "memory_map.h"
#include "refusals.h"
#include "run.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_shared.h"
#include "waiting.h"
#include "words.h"

/* The end of a run whose input would not fit into the store of inputs. */
static _Noreturn void inputs_full(void) {
    veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_INPUTS);
    veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the store of inputs is full");
}

static uint64_t scrambled(uint64_t value) {
    value = (value ^ (value >> 31)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
}

/* What a leaf is before anyone chose a value: 0, or a pseudo-random value in the shape of its kind. */
static uint64_t filler(uint32_t leaf, uint64_t alternatives) {
    const struct veer_control *control = VEER_CONTROL;
    if (control->filler == 0) return 0;
    uint64_t random = scrambled(scrambled(control->seed + control->filler * VEER_HASH_MULTIPLIER) + leaf), shape = random >> 60;
    uint32_t width = VEER_LEAVES[leaf].width;
    switch (VEER_LEAVES[leaf].kind) {
    case VEER_LEAFKIND_CHOICE: return alternatives ? random % alternatives : 0;
    case VEER_LEAFKIND_BOOL: return random & 1;
    case VEER_LEAFKIND_CHAR:
    case VEER_LEAFKIND_BYTE: return shape < 2 ? random & 0xff : 32 + random % 95;
    case VEER_LEAFKIND_FLOAT: {
        double number = (double)((int64_t)(random % 4001) - 2000) / 8;
        float narrow = (float)number;
        uint64_t bits = 0;
        if (width == 32) memcpy(&bits, &narrow, 4);
        else memcpy(&bits, &number, 8);
        return shape < 2 ? random & mask_of(width) : bits;
    }
    default: return shape < 8 ? (uint64_t)((int64_t)(random % 257) - 128) & mask_of(width) : random & mask_of(width);
    }
}

/* Whether it says how many characters, elements or bytes there are. */
static int is_size(const struct veer_leaf *leaf) {
    switch (leaf->flags) {
    case VEER_BOUND_LENGTH:
    case VEER_BOUND_ARRAY:
    case VEER_BOUND_ARGUMENT:
    case VEER_BOUND_INPUT:
    case VEER_BOUND_FILE: return leaf->kind != VEER_LEAFKIND_CHOICE;
    default: return 0;
    }
}

/* A character where a text ends is the one before it: so the text goes on up to its bound. An empty one may begin, there may be as
   many bytes as there can, and of a pointer's sides the second is an object of its own. */
static uint64_t going_on(uint32_t leaf, uint64_t value, uint64_t alternatives) {
    const struct veer_control *control = VEER_CONTROL;
    int begins = control->filler != VEER_GOES_ON;
    if (control->filler == VEER_POINTS && VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHOICE && alternatives > 1) return 1;
    if (begins && is_size(&VEER_LEAVES[leaf])) return VEER_LEAVES[leaf].maximum;
    if (value || VEER_LEAVES[leaf].width != 8) return value;
    uint32_t before = veer_leaf_before(leaf);
    if (before == VEER_NONE && begins && VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHAR) return 'a';
    if (before == VEER_NONE || VEER_LEAVES[before].input_offset >= control->current_length) return 0;
    return VEER_INPUTS[control->input_bytes + VEER_LEAVES[before].input_offset];
}

/* Lists the leaves of a recorded run in the order in which it asks for them. The value of each is the input's, or the next that was
   drawn for it; behind the last one it is 0. */
static uint64_t asked(uint32_t leaf, uint64_t value) {
    struct veer_control *control = VEER_CONTROL;
    uint32_t place = control->drawn_count;
    if (LEAF_STATES[leaf].asked_epoch == RUN->epoch || place >= VEER_DRAWN_CAPACITY) return value;
    LEAF_STATES[leaf].asked_epoch = RUN->epoch;
    VEER_REGION(uint32_t, DRAWN)[control->drawn_count++] = leaf;
    if (!control->is_drawn) return value;
    return place < control->draw_count ? VEER_REGION(uint64_t, DRAWS)[place] & mask_of(VEER_LEAVES[leaf].width) : 0;
}

/* A leaf's value in this run's input; the input grows where the leaf lies behind its end, so that it replays as it is stored.
   `alternatives` is the number of a choice's sides. */
uint64_t veer_leaf_input(uint32_t leaf, uint64_t alternatives) {
    struct veer_control *control = VEER_CONTROL;
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint32_t bytes = record->width / 8, end = record->input_offset + bytes;
    uint8_t *input = VEER_INPUTS + control->input_bytes;
    if (end > control->current_length) {
        if (control->input_bytes + end > VEER_INPUTS_CAPACITY) inputs_full();
        memset(input + control->current_length, 0, end - control->current_length);
        control->current_length = end;
    }
    uint64_t value = veer_read_bytes(input + record->input_offset, bytes), given = value;
    if (control->filler >= VEER_POINTS) value = going_on(leaf, value, alternatives);
    else if (end > INPUT_LEAVES->initial_length && LEAF_STATES[leaf].epoch != RUN->epoch && !control->is_drawn)
        value = filler(leaf, alternatives);
    if (control->record || control->lists_leaves) value = asked(leaf, value);
    value = veer_leaf_clamp(record, value);
    if (value != given) memcpy(input + record->input_offset, &value, bytes);
    return value;
}

/* Marks a leaf as made in this run and, when the run is recorded, lists it. */
void veer_record_leaf(uint32_t leaf) {
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    int again = state->epoch == RUN->epoch;
    state->epoch = RUN->epoch;
    if (again || !VEER_CONTROL->record || VEER_CONTROL->run_leaf_count >= VEER_IDS_CAPACITY) return;
    VEER_IDS[VEER_CONTROL->run_leaf_count++] = leaf;
}

/* Says, behind a pointer leaf that was just recorded, whose fresh object it leads to. */
void veer_record_target(uint32_t leaf) {
    if (!VEER_CONTROL->record || VEER_CONTROL->run_leaf_count >= VEER_IDS_CAPACITY) return;
    VEER_IDS[VEER_CONTROL->run_leaf_count++] = VEER_TARGET_MARK | leaf;
}

static void set_words(uint64_t address, uint32_t expression, uint32_t bytes) {
    if (address >= VEER_LOW_END) return;
    veer_note_dirty(address, bytes);
    for (uint32_t k = 0; k < bytes; k++) veer_words(address)[k] = k << VEER_FRAGMENT_SHIFT | expression;
}

/* Makes a scalar leaf in memory; its value, and the leaf's id or NONE through `leaf`. */
uint64_t veer_make_leaf(uint64_t address, struct veer_place place, uint32_t width, uint32_t kind, uint64_t low, uint64_t high,
                        uint32_t *made) {
    veer_refuse_levels(VEER_REFUSAL_INPUT);
    uint32_t leaf = veer_intern_leaf(place.object, place.offset, width, kind, low, high), bytes = width / 8;
    if (made) *made = leaf;
    if (leaf == VEER_NONE) {
        memset((void *)(uintptr_t)address, 0, bytes);
        return 0;
    }
    uint64_t value = veer_leaf_input(leaf, 0);
    veer_record_leaf(leaf);
    LEAF_STATES[leaf].object = INPUT_LEAVES->making;
    LEAF_STATES[leaf].type = NULL;
    memcpy((void *)(uintptr_t)address, &value, bytes);
    uint32_t expression = VEER_CONTROL->is_concrete ? 0 : veer_leaf_expression(leaf);
    if (veer_symbolic(expression)) set_words(address, expression, bytes);
    else if (address < VEER_LOW_END) veer_fill_words(address, bytes, VEER_SHADOW_CONCRETE);
    if (veer_has_flows()) veer_flow_set(address, bytes, veer_flow_leaf(leaf));
    return value;
}

/* Makes `size` bytes in memory at once, in a concrete run that lists no leaves: runs before it have made them one behind the other.
   0 = it is another kind of run, or they have not. `first`: the leaf of the first. */
int veer_make_bytes(uint64_t address, uint64_t size, struct veer_place place, uint32_t *first) {
    struct veer_control *control = VEER_CONTROL;
    if (!control->is_concrete || control->lists_leaves || size < 2 || size > UINT16_MAX || address >= VEER_LOW_END) return 0;
    uint32_t leaf = veer_intern_leaf(place.object, place.offset, 8, VEER_LEAFKIND_BYTE, 1, 0), last = leaf + (uint32_t)size - 1;
    if (leaf == VEER_NONE || last >= control->leaf_count) return 0;
    const struct veer_leaf *begin = &VEER_LEAVES[leaf], *end = &VEER_LEAVES[last];
    if (end->object != begin->object || end->offset != begin->offset + size - 1 || end->width != 8 ||
        end->input_offset != begin->input_offset + size - 1)
        return 0;
    uint8_t *input = VEER_INPUTS + control->input_bytes;
    uint32_t stop = begin->input_offset + (uint32_t)size;
    if (control->input_bytes + stop > VEER_INPUTS_CAPACITY) inputs_full();
    if (stop > control->current_length) {
        memset(input + control->current_length, 0, stop - control->current_length);
        control->current_length = stop;
    }
    memcpy((void *)(uintptr_t)address, input + begin->input_offset, size);
    veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
    *first = leaf;
    return 1;
}

/* An undecided pointer: memory holds 0, the shadow a CHOICE leaf that veer_load recognises. Pointers that share a place, in a union, are
   leaves of their own: `member` tells them apart, 0 elsewhere. */
void veer_make_pointer(uint64_t address, const struct veer_type *type, struct veer_place place, uint32_t member) {
    uint32_t leaf = veer_intern_leaf(place.object, place.offset, 64, VEER_LEAFKIND_CHOICE, 0, VEER_MOST_CHOICES - member);
    uint32_t expression = leaf == VEER_NONE ? 0 : veer_leaf_expression(leaf);
    memset((void *)(uintptr_t)address, 0, 8);
    if (!veer_symbolic(expression)) return;
    struct veer_leaf_state *state = &LEAF_STATES[leaf];
    state->type = type;
    state->type_epoch = RUN->epoch;
    state->depth = place.depth;
    state->object = INPUT_LEAVES->making;
    set_words(address, expression, 8);
    if (WAITING->is_eager || WAITING->settles) veer_wait_for_plan(leaf);
}

void veer_input_leaves_begin(void) {
    INPUT_LEAVES->initial_length = VEER_CONTROL->current_length;
    INPUT_LEAVES->making = 0;
    VEER_CONTROL->run_leaf_count = 0;
    VEER_CONTROL->drawn_count = 0;
}

/* Marks of all runs are void: their numbers are used again. */
void veer_input_leaves_forget(void) { memset(LEAF_STATES, 0, sizeof(struct veer_leaf_states)); }
