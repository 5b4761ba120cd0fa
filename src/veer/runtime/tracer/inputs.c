/* Inputs: leaves get their value from the run's input, are written into memory, and carry their expression in the shadow. */
#include <string.h>

#include "flows.h"
#include "tracer.h"

/* The end of a run whose input would not fit into the store of inputs. */
static _Noreturn void inputs_full(void) {
    veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_INPUTS);
    veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the store of inputs is full");
}

void veer_inputs_begin(void) {
    struct veer_tracer *tracer = TRACER;
    tracer->initial_length = VEER_CONTROL->current_length;
    tracer->input_object_count = 0;
    tracer->made_objects = 0;
    tracer->has_unions = 0;
    tracer->is_eager = tracer->settles = tracer->waiting_count = tracer->holder = 0;
    tracer->leaf_pool_count = 0;
    tracer->has_extents = 0;
    tracer->candidate_count = 0;
    tracer->choice_hash = 0;
    tracer->making = 0;
    tracer->graph_depth = 3;
    tracer->root_depth = 0;
    tracer->maximum_objects = VEER_MAX_INPUT_OBJECTS - 1;
    VEER_CONTROL->run_leaf_count = 0;
    VEER_CONTROL->result_length = 0;
    VEER_CONTROL->result_count = 0;
}

void veer_set_bounds(uint32_t graph_depth, uint32_t maximum_objects) {
    TRACER->graph_depth = graph_depth;
    if (maximum_objects && maximum_objects < VEER_MAX_INPUT_OBJECTS) TRACER->maximum_objects = maximum_objects;
}

void veer_set_root_depth(uint32_t depth) { TRACER->root_depth = depth; }

static uint64_t mix(uint64_t value) {
    value = (value ^ (value >> 31)) * 0xbf58476d1ce4e5b9ull;
    value = (value ^ (value >> 27)) * 0x94d049bb133111ebull;
    return value ^ (value >> 31);
}

/* What a leaf is before anyone chose a value: 0, or a pseudo-random value in the shape of its kind. */
static uint64_t filler(uint32_t leaf, uint64_t alternatives) {
    const struct veer_control *control = VEER_CONTROL;
    if (control->filler == 0) return 0;
    uint64_t random = mix(mix(control->seed + control->filler * VEER_HASH_MULTIPLIER) + leaf), shape = random >> 60;
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
        return shape < 2 ? random & veer_mask(width) : bits;
    }
    default: return shape < 8 ? (uint64_t)((int64_t)(random % 257) - 128) & veer_mask(width) : random & veer_mask(width);
    }
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
    if (end > TRACER->initial_length && TRACER->leaves[leaf].epoch != TRACER->epoch) value = filler(leaf, alternatives);
    value = veer_leaf_clamp(record, value);
    if (value != given) memcpy(input + record->input_offset, &value, bytes);
    return value;
}

/* Marks a leaf as made in this run and, when the run is recorded, lists it. */
void veer_record_leaf(uint32_t leaf) {
    struct veer_leaf_state *state = &TRACER->leaves[leaf];
    int again = state->epoch == TRACER->epoch;
    state->epoch = TRACER->epoch;
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
    TRACER->leaves[leaf].object = TRACER->making;
    TRACER->leaves[leaf].type = NULL;
    memcpy((void *)(uintptr_t)address, &value, bytes);
    uint32_t expression = veer_leaf_expression(leaf);
    if (veer_symbolic(expression)) set_words(address, expression, bytes);
    if (veer_has_flows()) veer_flow_set(address, bytes, veer_flow_leaf(leaf));
    return value;
}

/* An undecided pointer: memory holds 0, the shadow a CHOICE leaf that veer_load recognises. Pointers that share a place, in a union, are
   leaves of their own: `member` tells them apart, 0 elsewhere. */
void veer_make_pointer(uint64_t address, const struct veer_type *type, struct veer_place place, uint32_t member) {
    uint32_t leaf = veer_intern_leaf(place.object, place.offset, 64, VEER_LEAFKIND_CHOICE, 0, VEER_MOST_CHOICES - member);
    uint32_t expression = leaf == VEER_NONE ? 0 : veer_leaf_expression(leaf);
    memset((void *)(uintptr_t)address, 0, 8);
    if (!veer_symbolic(expression)) return;
    struct veer_leaf_state *state = &TRACER->leaves[leaf];
    state->type = type;
    state->type_epoch = TRACER->epoch;
    state->depth = place.depth;
    state->object = TRACER->making;
    set_words(address, expression, 8);
    if (TRACER->is_eager || TRACER->settles) veer_wait_for_plan(leaf);
}

static uint32_t leaf_kind(const struct veer_type *type) {
    switch (type->kind) {
    case VEER_TYPE_SIGNED: return VEER_LEAFKIND_SIGNED;
    case VEER_TYPE_BOOL: return VEER_LEAFKIND_BOOL;
    case VEER_TYPE_CHAR: return VEER_LEAFKIND_CHAR;
    case VEER_TYPE_FLOAT: return VEER_LEAFKIND_FLOAT;
    default: return VEER_LEAFKIND_UNSIGNED;
    }
}

/* The leaf of a scalar, which may not be in memory yet; NONE: the table is full. */
uint32_t veer_scalar_leaf(const struct veer_type *type, struct veer_place place) {
    int is_free = type->low == type->high;
    uint64_t low = is_free ? 1 : type->low, high = is_free ? 0 : type->high;
    return veer_intern_leaf(place.object, place.offset, type->size * 8, leaf_kind(type), low, high);
}

static uint32_t make_scalar(uint64_t address, const struct veer_type *type, struct veer_place place) {
    uint64_t low = type->low, high = type->high;
    uint32_t leaf = VEER_NONE;
    if (type->size != 1 && type->size != 2 && type->size != 4 && type->size != 8) {
        veer_note_loss(type->kind == VEER_TYPE_FLOAT ? VEER_LOSS_UNSUPPORTED : VEER_LOSS_WIDE, veer_here());
        return leaf;
    }
    if (low == high) low = 1, high = 0;
    if (type->kind == VEER_TYPE_BOOL) low = 0, high = 1;
    veer_make_leaf(address, place, type->size * 8, leaf_kind(type), low, high, &leaf);
    return leaf;
}

/* Makes a value of any type in zeroed memory: all scalars within it are leaves, pointers stay undecided. Returns the leaf of a
   scalar, else NONE. */
uint32_t veer_make_value(uint64_t address, const struct veer_type *type, struct veer_place place) {
    struct veer_place inner = place;
    switch (type->kind) {
    case VEER_TYPE_POINTER: veer_make_pointer(address, type, place, 0); return VEER_NONE;
    case VEER_TYPE_STRUCT:
    case VEER_TYPE_UNION:
        for (uint32_t k = 0; k < type->count; k++) {
            inner.offset = place.offset + type->fields[k].offset;
            veer_make_value(address + type->fields[k].offset, type->fields[k].type, inner);
        }
        if (type->kind == VEER_TYPE_UNION && type->maximum) veer_offer_members(address, type, place);
        return VEER_NONE;
    case VEER_TYPE_ARRAY:
        for (uint32_t k = 0; k < type->count; k++) {
            inner.offset = place.offset + k * type->target->size;
            veer_make_value(address + (uint64_t)k * type->target->size, type->target, inner);
        }
        return VEER_NONE;
    case VEER_TYPE_OPAQUE: return VEER_NONE;
    default: return make_scalar(address, type, place);
    }
}

static uint32_t hash_name(const char *name) {
    uint32_t hash = 2166136261u;
    for (; *name; name++) hash = (hash ^ (uint8_t)*name) * 16777619u;
    return hash;
}

/* The run's record of the inputs named so. */
struct veer_root *veer_root_of(const char *name) {
    struct veer_tracer *tracer = TRACER;
    uint32_t hash = hash_name(name);
    for (uint32_t probe = 0; probe < VEER_MAX_ROOTS; probe++) {
        struct veer_root *root = &tracer->roots[(hash + probe) % VEER_MAX_ROOTS];
        if (root->epoch == tracer->epoch && (root->hash != hash || strcmp(root->name, name) != 0)) continue;
        if (root->epoch != tracer->epoch) *root = (struct veer_root){.name = name, .epoch = tracer->epoch, .leaf = VEER_NONE, .hash = hash};
        return root;
    }
    veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "too many names of inputs");
}

/* The object of one more root input of that name. */
static struct veer_place new_root(const char *name, uint32_t type, struct veer_root **root) {
    *root = veer_root_of(name ? name : "input");
    uint32_t object = veer_intern_object(VEER_NONE, (*root)->name, (*root)->occurrences++, type);
    if (object == VEER_NONE) veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "the table of input objects is full");
    return (struct veer_place){.object = object, .depth = TRACER->root_depth};
}

void veer_make(void *cell, const struct veer_type *type, const char *name) {
    struct veer_root *root;
    uint64_t address = (uint64_t)(uintptr_t)cell;
    VEER_HOT->callee = 0;
    veer_require(address, type->size, 1, veer_here());
    struct veer_place place = new_root(name, type->id, &root);
    memset(cell, 0, type->size);
    if (address < VEER_LOW_END) veer_fill_words(address, type->size, VEER_SHADOW_CONCRETE);
    root->leaf = veer_make_value(address, type, place);
    if (veer_has_flows()) veer_flow_input(address, type->size);
}

void veer_make_symbolic(void *cell, uint64_t size, const char *name, uint64_t element) {
    struct veer_root *root;
    uint64_t address = (uint64_t)(uintptr_t)cell;
    veer_pin(veer_argument((void *)veer_make_symbolic, 1), size, 64, veer_here());
    VEER_HOT->callee = 0;
    veer_require(address, size, 1, veer_here());
    struct veer_place place = new_root(name, VEER_NONE, &root);
    if (element == 0) element = size == 2 || size == 4 || size == 8 ? size : 1;
    if (element != 2 && element != 4 && element != 8) element = 1;
    uint32_t kind = element == 1 ? VEER_LEAFKIND_BYTE : VEER_LEAFKIND_UNSIGNED;
    uint64_t whole = size / element * element;
    for (uint64_t k = 0; k < whole; k += element, place.offset += (uint32_t)element)
        veer_make_leaf(address + k, place, (uint32_t)element * 8, kind, 1, 0, &root->leaf);
    for (uint64_t k = whole; k < size; k++, place.offset++)
        veer_make_leaf(address + k, place, 8, VEER_LEAFKIND_BYTE, 1, 0, NULL);
    if (veer_has_flows()) veer_flow_input(address, size);
}

uint64_t veer_choose(uint64_t count, const char *name) {
    struct veer_root *root;
    VEER_HOT->callee = 0;
    if (count < 2) return 0;
    if (count > UINT16_MAX) count = UINT16_MAX;
    struct veer_place place = new_root(name, VEER_NONE, &root);
    uint32_t leaf = veer_intern_leaf(place.object, 0, 64, VEER_LEAFKIND_CHOICE, 0, count - 1);
    if (leaf == VEER_NONE) return 0;
    uint64_t value = veer_leaf_input(leaf, count);
    veer_record_leaf(leaf);
    veer_choice_event(leaf, (uint32_t)count, (uint32_t)value, 0, veer_here());
    if (veer_has_flows()) veer_flow_return((void *)veer_choose, veer_flow_touch_state(VEER_FLOW_INPUT, 0, veer_here()));
    return value;
}
