/* Inputs of any type: all scalars within a value are leaves. */
#include "input_values.h"

#include "ends.h"
#include "engine/leaves.h"
#include "engine/ledger.h"
#include "growth.h"
#include "input_leaves.h"
#include "sites.h"
#include "unions.h"
#include "veer_harness.h"
#include "veer_wire.h"

static uint32_t leaf_kind(const struct veer_type *type) {
    switch (type->kind) {
    case VEER_TYPE_SIGNED: return VEER_LEAFKIND_SIGNED;
    case VEER_TYPE_BOOL: return VEER_LEAFKIND_BOOL;
    case VEER_TYPE_CHAR: return VEER_LEAFKIND_CHAR;
    case VEER_TYPE_FLOAT: return VEER_LEAFKIND_FLOAT;
    default: return VEER_LEAFKIND_UNSIGNED;
    }
}

/* The largest value that the type has: of a length it depends on a bound. */
static uint64_t highest(const struct veer_type *type) {
    if (!type->bound) return type->high;
    uint64_t most = (1ull << (type->size * 8 - 1)) - 1, high = veer_grown(type->bound, type->high);
    veer_meet_bound(type->bound);
    return high < most ? high : most;
}

/* The leaf of a scalar, which may not be in memory yet; NONE: the table is full. */
uint32_t veer_scalar_leaf(const struct veer_type *type, struct veer_place place) {
    int is_free = type->low == type->high && !type->count;
    uint64_t low = is_free ? 1 : type->low, high = is_free ? 0 : highest(type);
    return veer_intern_leaf(place.object, place.offset, type->size * 8, leaf_kind(type), low, high);
}

static uint32_t make_scalar(uint64_t address, const struct veer_type *type, struct veer_place place) {
    uint64_t low = type->low, high = highest(type);
    uint32_t leaf = VEER_NONE;
    if (type->size != 1 && type->size != 2 && type->size != 4 && type->size != 8) {
        veer_note_loss(type->kind == VEER_TYPE_FLOAT ? VEER_LOSS_UNSUPPORTED : VEER_LOSS_WIDE, veer_here());
        return leaf;
    }
    if (low == high && !type->count) low = 1, high = 0;
    if (type->kind == VEER_TYPE_BOOL) low = 0, high = 1;
    veer_make_leaf(address, place, type->size * 8, leaf_kind(type), low, high, &leaf);
    if (leaf != VEER_NONE) VEER_LEAVES[leaf].flags = (uint16_t)type->bound;
    return leaf;
}

/* Makes a value of any type in zeroed memory: all scalars within it are leaves, pointers stay undecided. Returns the leaf of a
   scalar, else NONE. */
uint32_t veer_make_value(uint64_t address, const struct veer_type *type, struct veer_place place) {
    struct veer_place inner = place;
    switch (type->kind) {
    case VEER_TYPE_POINTER:
        if (type->extent == VEER_EXTENT_END) veer_make_end(address, type, place);
        else veer_make_pointer(address, type, place, 0);
        return VEER_NONE;
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
