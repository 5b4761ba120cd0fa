/* Input leaves, the objects that they lie in, and names: interned for the campaign, so that the same location of the
   same object is the same leaf in every run. The hash tables are private and rebuilt from the records. */
#include "leaves.h"
#include "bits.h"
#include "hash.h"
#include "ledger.h"
#include "places.h"
#include "publish.h"
#include "spans.h"
#include "veer_shared.h"
#include <string.h>

enum {
    NAME_TABLE = 1 << 16,
    OBJECT_TABLE = 1 << 18,
    LEAF_TABLE = 1 << 20
};

struct leaves_state {
    uint32_t last; /* the leaf that was looked up last */
    uint32_t names[NAME_TABLE];
    uint32_t objects[OBJECT_TABLE];
    uint32_t leaves[LEAF_TABLE];
};
ENGINE_STATE_FITS(leaves);
#define LEAF_TABLES ENGINE_STATE(leaves)

#define NAMES VEER_REGION(char, NAMES)

static uint32_t name_slot(const char *name, size_t length)
{
    uint64_t hash = length;
    for (size_t i = 0; i < length; i++)
        hash = mix(hash, (uint8_t)name[i]);
    return (uint32_t)hash & (NAME_TABLE - 1);
}

/* The slot of the name, or the free one where it belongs; NAME_TABLE = neither is there. */
static uint32_t slot_of(const char *name, size_t length)
{
    uint32_t used = VEER_CONTROL->name_bytes, slot = name_slot(name, length);
    for (uint32_t tries = 0; tries < NAME_TABLE; tries++, slot = (slot + 1) & (NAME_TABLE - 1)) {
        uint32_t at = LEAF_TABLES->names[slot];
        if (at == 0 || at > used || !strcmp(NAMES + at - 1, name))
            return slot;
    }
    return NAME_TABLE;
}

static int is_taken(uint32_t slot)
{
    return LEAF_TABLES->names[slot] != 0 && LEAF_TABLES->names[slot] <= VEER_CONTROL->name_bytes;
}

int veer_knows_name(const char *name)
{
    uint32_t slot = slot_of(name, strlen(name));
    return slot < NAME_TABLE && is_taken(slot);
}

/* Offset of the name in `names`; NONE = no room. */
uint32_t veer_intern_name(const char *name)
{
    struct veer_control *control = VEER_CONTROL;
    size_t length = strlen(name);
    uint32_t used = control->name_bytes, slot = slot_of(name, length);
    if (slot < NAME_TABLE && is_taken(slot))
        return LEAF_TABLES->names[slot] - 1;
    if (slot == NAME_TABLE || used + length + 1 > VEER_NAMES_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_NAMES);
        return VEER_NONE;
    }
    memcpy(NAMES + used, name, length + 1);
    LEAF_TABLES->names[slot] = used + 1;
    PUBLISH(control->name_bytes, used + (uint32_t)length + 1);
    return used;
}

static uint32_t object_slot(const struct veer_object *object)
{
    uint64_t first = (uint64_t)object->via << 32 | object->name;
    return (uint32_t)mix(first, (uint64_t)object->occurrence << 32 | object->type) & (OBJECT_TABLE - 1);
}

/* Finds the record or appends it. */
static uint32_t intern_object_record(const struct veer_object *object)
{
    struct veer_control *control = VEER_CONTROL;
    uint32_t used = control->object_count, slot = object_slot(object);
    for (;; slot = (slot + 1) & (OBJECT_TABLE - 1)) {
        uint32_t at = LEAF_TABLES->objects[slot];
        if (at == 0 || at > used)
            break;
        if (!memcmp(&VEER_OBJECTS[at - 1], object, sizeof *object))
            return at - 1;
    }
    if (used == VEER_OBJECTS_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_OBJECTS);
        return VEER_NONE;
    }
    VEER_OBJECTS[used] = *object;
    LEAF_TABLES->objects[slot] = used + 1;
    PUBLISH(control->object_count, used + 1);
    return used;
}

uint32_t veer_intern_object(uint32_t via, const char *name, uint32_t occurrence, uint32_t type)
{
    struct veer_object object = {via, VEER_NONE, occurrence, type};
    if (name) {
        object.name = veer_intern_name(name);
        if (object.name == VEER_NONE)
            return VEER_NONE;
    }
    return intern_object_record(&object);
}

static uint32_t leaf_slot(const struct veer_leaf *leaf)
{
    uint64_t place = (uint64_t)leaf->object << 32 | leaf->offset;
    uint64_t shape = (uint64_t)leaf->width | (uint64_t)leaf->kind << 8;
    return (uint32_t)mix(place, shape ^ mix(leaf->minimum, leaf->maximum)) & (LEAF_TABLE - 1);
}

static int is_same_leaf(const struct veer_leaf *left, const struct veer_leaf *right)
{
    return left->object == right->object && left->offset == right->offset && left->width == right->width &&
           left->kind == right->kind && left->minimum == right->minimum && left->maximum == right->maximum;
}

/* Bounds of an unbounded leaf are its type's range, so that every record has minimum <= maximum in its own order. */
static void set_bounds(struct veer_leaf *leaf, uint64_t minimum, uint64_t maximum)
{
    int is_signed = leaf->kind == VEER_LEAFKIND_SIGNED;
    if (is_signed) {
        minimum = (uint64_t)sign_extend(minimum, leaf->width);
        maximum = (uint64_t)sign_extend(maximum, leaf->width);
    }
    int is_bounded = is_signed ? (int64_t)minimum <= (int64_t)maximum : minimum <= maximum;
    if (is_bounded) {
        leaf->minimum = minimum;
        leaf->maximum = maximum;
    } else if (is_signed) {
        leaf->minimum = (uint64_t)sign_extend(sign_bit(leaf->width), leaf->width);
        leaf->maximum = mask_of(leaf->width) >> 1;
    } else {
        leaf->minimum = 0;
        leaf->maximum = mask_of(leaf->width);
    }
}

/* The value that a run gives a leaf whose input says `value`: as near as its bounds let it be. */
uint64_t veer_leaf_clamp(const struct veer_leaf *leaf, uint64_t value)
{
    if (leaf->kind == VEER_LEAFKIND_SIGNED) {
        int64_t low = (int64_t)leaf->minimum, high = (int64_t)leaf->maximum, number = sign_extend(value, leaf->width);
        if (low > high)
            return value;
        return (uint64_t)(number < low ? low : number > high ? high : number) & mask_of(leaf->width);
    }
    if (leaf->minimum > leaf->maximum)
        return value;
    return (value < leaf->minimum ? leaf->minimum : value > leaf->maximum ? leaf->maximum : value) & mask_of(leaf->width);
}

uint32_t veer_intern_leaf(uint32_t object, uint32_t offset, uint32_t width, uint32_t kind, uint64_t minimum,
                          uint64_t maximum)
{
    struct veer_control *control = VEER_CONTROL;
    if (width == 0 || width > 64 || object == VEER_NONE)
        return VEER_NONE;
    struct veer_leaf leaf = {object, offset, 0, (uint8_t)width, (uint8_t)kind, 0, 0, 0};
    set_bounds(&leaf, minimum, maximum);
    uint32_t used = control->leaf_count, next = LEAF_TABLES->last + 1;
    if (next < used && is_same_leaf(&VEER_LEAVES[next], &leaf)) /* runs make their leaves in the same order */
        return LEAF_TABLES->last = next;
    uint32_t slot = leaf_slot(&leaf);
    for (;; slot = (slot + 1) & (LEAF_TABLE - 1)) {
        uint32_t at = LEAF_TABLES->leaves[slot];
        if (at == 0 || at > used)
            break;
        if (is_same_leaf(&VEER_LEAVES[at - 1], &leaf))
            return LEAF_TABLES->last = at - 1;
    }
    if (used == VEER_LEAVES_CAPACITY) {
        veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_LEAVES);
        return VEER_NONE;
    }
    leaf.input_offset = control->leaf_bytes;
    PUBLISH(control->leaf_bytes, leaf.input_offset + (width + 7) / 8);
    VEER_LEAVES[used] = leaf;
    LEAF_TABLES->leaves[slot] = used + 1;
    PUBLISH(control->leaf_count, used + 1);
    return used;
}

uint32_t veer_leaf_before(uint32_t leaf)
{
    struct veer_leaf before = VEER_LEAVES[leaf];
    uint32_t bytes = before.width / 8, used = VEER_CONTROL->leaf_count;
    if (before.offset < bytes)
        return VEER_NONE;
    before.offset -= bytes;
    for (uint32_t slot = leaf_slot(&before);; slot = (slot + 1) & (LEAF_TABLE - 1)) {
        uint32_t at = LEAF_TABLES->leaves[slot];
        if (at == 0 || at > used)
            return VEER_NONE;
        if (is_same_leaf(&VEER_LEAVES[at - 1], &before))
            return at - 1;
    }
}

/* The set of values that a leaf may have, as unsigned intervals. */
void veer_leaf_bounds(uint32_t leaf, struct spans *bounds)
{
    const struct veer_leaf *record = &VEER_LEAVES[leaf];
    uint64_t mask = mask_of(record->width), low = record->minimum & mask, high = record->maximum & mask;
    int is_signed = record->kind == VEER_LEAFKIND_SIGNED;
    int is_bounded =
        is_signed ? (int64_t)record->minimum <= (int64_t)record->maximum : record->minimum <= record->maximum;
    bounds->count = 1;
    bounds->span[0] = (struct span){0, mask};
    if (!is_bounded)
        return;
    if (low <= high) {
        bounds->span[0] = (struct span){low, high};
        return;
    }
    bounds->count = 2; /* signed, around zero: 0 .. high and low .. -1; the two may touch */
    bounds->span[0] = (struct span){0, high};
    bounds->span[1] = (struct span){low, mask};
    if (high + 1 == low) {
        bounds->count = 1;
        bounds->span[0].high = mask;
    }
}

/* Finds the records of the campaign again. */
void veer_leaves_attach(void)
{
    struct veer_control *control = VEER_CONTROL;
    for (uint32_t at = 0; at < control->name_bytes; at += (uint32_t)strlen(NAMES + at) + 1) {
        uint32_t slot = name_slot(NAMES + at, strlen(NAMES + at));
        while (LEAF_TABLES->names[slot])
            slot = (slot + 1) & (NAME_TABLE - 1);
        LEAF_TABLES->names[slot] = at + 1;
    }
    for (uint32_t i = 0; i < control->object_count; i++) {
        uint32_t slot = object_slot(&VEER_OBJECTS[i]);
        while (LEAF_TABLES->objects[slot])
            slot = (slot + 1) & (OBJECT_TABLE - 1);
        LEAF_TABLES->objects[slot] = i + 1;
    }
    for (uint32_t i = 0; i < control->leaf_count; i++) {
        uint32_t slot = leaf_slot(&VEER_LEAVES[i]);
        while (LEAF_TABLES->leaves[slot])
            slot = (slot + 1) & (LEAF_TABLE - 1);
        LEAF_TABLES->leaves[slot] = i + 1;
    }
}
