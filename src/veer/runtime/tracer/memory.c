/* memcpy, memmove and memset: bounds, and the shadows move with the bytes. */
#include <string.h>

#include "bad_access.h"
#include "bounds.h"
#include "calling.h"
#include "engine/arena.h"
#include "engine/bits.h"
#include "events.h"
#include "flow_models.h"
#include "flows.h"
#include "found.h"
#include "globals.h"
#include "levels.h"
#include "memory_map.h"
#include "objects.h"
#include "open_calls.h"
#include "resolve.h"
#include "sites.h"
#include "uninitialised.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

/* Decides whether a symbolic size fits into the object at `address`, if there is one. If it does not, the run ends here: what else
   would be asked, of a string how far it reaches, would depend on the size, which nothing has fixed on this path. */
static void check_room(uint64_t address, uint32_t size_shadow, uint64_t size, int is_store, uint32_t site) {
    struct veer_found found = veer_find_object(address);
    if (!found.region || address < found.base || address > found.base + found.capacity) return;
    uint64_t room = found.base + found.capacity - address;
    uint32_t width = VEER_NODES[size_shadow].width, limit = veer_constant(width, room & mask_of(width));
    uint32_t literal = limit ? veer_expression(VEER_OP_ULE, 1, size_shadow, limit, 0) : 0;
    veer_event(VEER_KIND_CHECK, literal, size <= room, site);
    if (size > room) veer_outside(address + veer_first_zero(address, room), size, is_store, site);
}

/* Whether the range has words of its own (the unit's memory). */
static int has_words(uint64_t address) { return address < VEER_LOW_END && veer_words(address)[0] != 0; }

struct block {
    uint64_t address;
    uint32_t shadow;
};

/* Nothing is touched when the size is 0, wherever the addresses lead (a[i + 1] behind the end of an array): decided before they are
   looked at. Returns whether it is 0. */
static int is_nothing(uint64_t size, uint32_t size_shadow, uint32_t site) {
    uint32_t none = veer_constant(VEER_NODES[size_shadow].width, 0);
    veer_event(VEER_KIND_GUARD, none ? veer_expression(VEER_OP_EQ, 1, size_shadow, none, 0) : 0, size == 0, site);
    return size == 0;
}

/* How far two places are apart; no copy between them is too long where they are one place, for that changes nothing. */
static uint64_t room_between(uint64_t to, uint64_t from) { return to > from ? to - from : from > to ? from - to : UINT64_MAX; }

/* Decides whether a symbolic number of bytes fits between the two places. */
static void check_apart(uint64_t to, uint64_t from, uint32_t size_shadow, uint64_t size, uint32_t site) {
    uint32_t width = VEER_NODES[size_shadow].width;
    uint64_t room = room_between(to, from);
    uint32_t limit = room < mask_of(width) ? veer_constant(width, room) : 0;
    veer_event(VEER_KIND_CHECK, limit ? veer_expression(VEER_OP_ULE, 1, size_shadow, limit, 0) : 0, size <= room, site);
    if (size > room) veer_trap(site, VEER_TRAP_OVERLAP);
}

/* Checks the ranges of one operation and makes addresses and size concrete. `from` may be NULL. `is_apart`: they may not overlap. */
static void prepare(struct block *to, struct block *from, uint64_t size, uint32_t size_shadow, int is_apart, uint32_t site) {
    int symbolic = veer_symbolic(size_shadow) && VEER_NODES[size_shadow].op != VEER_OP_CONST;
    uint64_t least = symbolic || size == 0 ? 1 : size;
    to->shadow = veer_settle(to->shadow, site); /* the caller takes the address for concrete, whatever the size */
    if (from && symbolic) from->shadow = veer_settle(from->shadow, site);
    if (symbolic && (veer_symbolic(to->shadow) || (from && veer_symbolic(from->shadow))) && is_nothing(size, size_shadow, site)) return;
    if (symbolic || size) {
        veer_resolve(to->address, to->shadow, least, 1, site);
        if (from) veer_resolve(from->address, from->shadow, least, 0, site);
    }
    if (symbolic) {
        check_room(to->address, size_shadow, size, 1, site);
        if (from) check_room(from->address, size_shadow, size, 0, site);
        if (from && is_apart) check_apart(to->address, from->address, size_shadow, size, site);
        veer_pin(size_shadow, size, VEER_NODES[size_shadow].width, site);
    }
    /* The source's decisions come before the target is looked at, whether or not the source is long enough: the order of
       decisions must not depend on how the run ends. */
    if (from) veer_require(from->address, size, 0, site);
    if (from && has_words(from->address)) veer_touch_range(from->address, size, site);
    veer_require(to->address, size, 1, site);
    if (has_words(to->address)) veer_touch_range(to->address, size, site);
    if (from && is_apart && size > room_between(to->address, from->address)) veer_trap(site, VEER_TRAP_OVERLAP);
}

void veer_needs(const void *place, uint64_t size) {
    uint32_t shadow = veer_argument((void *)veer_needs, 0), size_shadow = veer_argument((void *)veer_needs, 1), site = veer_here();
    uint64_t address = (uint64_t)(uintptr_t)place;
    VEER_HOT->callee = 0;
    if (!veer_symbolic(size_shadow) || VEER_NODES[size_shadow].op == VEER_OP_CONST) return;
    shadow = veer_settle(shadow, site);
    if (is_nothing(size, size_shadow, site)) return;
    veer_resolve(address, shadow, 1, 0, site);
    check_room(address, size_shadow, size, 0, site);
}

/* Moves the words, or makes the target concrete when the source has none. */
static void move_words(uint64_t to, uint64_t from, uint64_t size, uint32_t site) {
    if (!has_words(to)) {
        if (has_words(from)) veer_forget_unwritten(from, size);
        if (has_words(from) && veer_symbolic_range(from, size)) veer_unsupported(site, VEER_LOSS_EXTERNAL);
        return;
    }
    int is_lost = has_words(from) && veer_may_be_overwritten(to) && veer_symbolic_range(from, size);
    if (is_lost) veer_unsupported(site, VEER_LOSS_EXTERNAL);
    if (!has_words(from) || is_lost) {
        veer_fill_words(to, size, VEER_SHADOW_CONCRETE);
        return;
    }
    veer_note_dirty(to, size);
    memmove(veer_words(to), veer_words(from), size * 4);
}

static void *move(struct block to, struct block from, uint64_t size, uint32_t size_shadow, int is_apart) {
    uint32_t site = veer_here();
    VEER_HOT->callee = 0;
    prepare(&to, &from, size, size_shadow, is_apart, site);
    if (size == 0) return (void *)(uintptr_t)to.address;
    int leaves_sight = !has_words(to.address) || veer_may_be_overwritten(to.address);
    if (has_words(from.address) && leaves_sight) veer_decide_range(from.address, size, site);
    memmove((void *)(uintptr_t)to.address, (const void *)(uintptr_t)from.address, size);
    move_words(to.address, from.address, size, site);
    return (void *)(uintptr_t)to.address;
}

/* Whether every byte of the range may be accessed and is concrete: then only the bytes have to be moved, for the words stay. */
static int is_plain(uint64_t address, uint64_t size) {
    if (address < VEER_NULL_END || address >= VEER_LOW_END || size > VEER_LOW_END - address) return 0;
    const uint32_t *words = veer_words(address);
    uint64_t i = 0;
    for (; i + 16 <= size; i += 16) {
        uint32_t other = 0;
        for (int k = 0; k < 16; k++) other |= words[i + k] ^ VEER_SHADOW_CONCRETE;
        if (other) return 0;
    }
    for (; i < size; i++)
        if (words[i] != VEER_SHADOW_CONCRETE) return 0;
    return 1;
}

/* Whether a copy by the function at `self` has concrete arguments and moves concrete bytes between
   places of the unit. */
static int is_plain_copy(const void *self, const void *to, const void *from, uint64_t size) {
    if (VEER_HOT->callee == (uint64_t)(uintptr_t)self) return 0;
    VEER_HOT->callee = 0;
    if (LEVELS->count > 1 || veer_is_constant_data((uint64_t)(uintptr_t)to, size)) return 0;
    return is_plain((uint64_t)(uintptr_t)to, size) && is_plain((uint64_t)(uintptr_t)from, size);
}

static void *copy(const void *self, void *to, const void *from, uint64_t size, int is_apart) {
    int overlaps = is_apart && size > room_between((uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from);
    if (!overlaps && is_plain_copy(self, to, from, size))
        memmove(to, from, size);
    else
        move((struct block){(uint64_t)(uintptr_t)to, veer_argument(self, 0)},
             (struct block){(uint64_t)(uintptr_t)from, veer_argument(self, 1)}, size, veer_argument(self, 2), is_apart);
    if (veer_has_flows()) veer_flow_moved(self, (uint64_t)(uintptr_t)to, (uint64_t)(uintptr_t)from, size);
    return to;
}

VEER_MARKED(void *, veer_memcpy, void *to, const void *from, uint64_t size) {
    return copy((const void *)veer_memcpy, to, from, size, 1);
}

VEER_MARKED(void *, veer_memmove, void *to, const void *from, uint64_t size) {
    return copy((const void *)veer_memmove, to, from, size, 0);
}

/* The byte that memset writes, as a shadow word. */
static uint32_t byte_word(uint32_t shadow) {
    if (!veer_symbolic(shadow)) return VEER_SHADOW_CONCRETE;
    uint32_t width = VEER_NODES[shadow].width;
    uint32_t byte = width == 8 ? shadow : veer_expression(width > 8 ? VEER_OP_EXTRACT : VEER_OP_ZEXT, 8, shadow, 0, 0);
    return veer_symbolic(byte) && VEER_NODES[byte].op != VEER_OP_CONST ? byte : VEER_SHADOW_CONCRETE;
}

static void *fill(const void *self, void *to, int value, uint64_t size) {
    if (is_plain_copy(self, to, to, size)) return memset(to, value, size);
    uint32_t site = veer_here(), value_shadow = veer_argument(self, 1), size_shadow = veer_argument(self, 2);
    struct block target = {(uint64_t)(uintptr_t)to, veer_argument(self, 0)};
    VEER_HOT->callee = 0;
    prepare(&target, NULL, size, size_shadow, 0, site);
    if (size == 0) return to;
    memset(to, value, size);
    if (!has_words(target.address)) return to;
    uint32_t word = byte_word(value_shadow);
    veer_verify(word, (uint64_t)(int64_t)value);
    if (word != VEER_SHADOW_CONCRETE && veer_may_be_overwritten(target.address)) {
        veer_unsupported(site, VEER_LOSS_EXTERNAL);
        word = VEER_SHADOW_CONCRETE;
    }
    if (word != VEER_SHADOW_CONCRETE) veer_note_dirty(target.address, size);
    veer_fill_words(target.address, size, word);
    return to;
}

VEER_MARKED(void *, veer_memset, void *to, int value, uint64_t size) {
    fill((const void *)veer_memset, to, value, size);
    if (veer_has_flows()) veer_flow_filled((const void *)veer_memset, (uint64_t)(uintptr_t)to, size);
    return to;
}
