/* Slots: what stands for a value that crossed a function's boundary in a compositional run, and the record of what crossed.

   A slot is named by the function that computes with it and by the place that it came from, never by its value: the conditions
   of a path through a function are the same expressions in every run and for every caller. */
#include "slots.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "endings.h"
#include "engine/arena.h"
#include "engine/ledger.h"
#include "kernel.h"
#include "levels.h"
#include "memory_map.h"
#include "places.h"
#include "refusals.h"
#include "sites.h"
#include "veer_shared.h"

#define VEER_SLOT_TABLE (1u << 21)

struct veer_slot_index {
    uint32_t known; /* so many slots are in the table */
};
VEER_STATE_FITS(slot_index);
#define SLOT_INDEX VEER_STATE(slot_index)

#define SLOTS VEER_REGION(struct veer_slot, SLOTS)
#define SLOT_TABLE ((uint32_t *)VEER_SLOT_INDEX_BASE) /* index + 1 into SLOTS */
enum { OFTEN = 1 << 16 }; /* crossings of a run, from which on what crosses is a part of its callers */

#define CROSSINGS VEER_REGION(struct veer_crossed, CROSSINGS)

static uint32_t place_of(const struct veer_slot *slot) {
    uint64_t hash = ((uint64_t)slot->function << 32 | (uint64_t)slot->recursion << 16 | (uint64_t)slot->kind << 8 | slot->width) *
                    VEER_HASH_MULTIPLIER;
    hash = (hash ^ hash >> 29 ^ ((uint64_t)slot->number << 32 | slot->ordinal)) * VEER_HASH_MULTIPLIER;
    hash = (hash ^ hash >> 31 ^ slot->address) * VEER_HASH_MULTIPLIER;
    return (uint32_t)(hash >> 40) & (VEER_SLOT_TABLE - 1);
}

static int is_same(const struct veer_slot *a, const struct veer_slot *b) {
    return a->function == b->function && a->recursion == b->recursion && a->kind == b->kind && a->width == b->width &&
           a->number == b->number && a->ordinal == b->ordinal && a->address == b->address;
}

/* The entry of the table where the slot is, or belongs. */
static uint32_t *entry_of(const struct veer_slot *slot) {
    uint32_t place = place_of(slot);
    while (SLOT_TABLE[place] && !is_same(slot, &SLOTS[SLOT_TABLE[place] - 1])) place = (place + 1) & (VEER_SLOT_TABLE - 1);
    return &SLOT_TABLE[place];
}

/* Those that earlier processes of the campaign made. */
static void learn(void) {
    for (; SLOT_INDEX->known < VEER_CONTROL->slot_count; SLOT_INDEX->known++)
        *entry_of(&SLOTS[SLOT_INDEX->known]) = SLOT_INDEX->known + 1;
}

static _Noreturn void full(void) {
    veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_CROSSINGS);
    veer_end_run(VEER_OUTCOME_CAPACITY, veer_here(), "more crosses the boundaries of functions than a compositional run can record");
}

/* The expression of a slot with the value that it has now. */
uint32_t veer_slot(const struct veer_slot *wanted) {
    learn();
    uint32_t *entry = entry_of(wanted);
    if (!*entry) {
        uint32_t index = VEER_CONTROL->slot_count;
        if (index >= VEER_SLOTS_CAPACITY) full();
        SLOTS[index] = *wanted;
        *entry = index + 1;
        SLOT_INDEX->known = VEER_CONTROL->slot_count = index + 1;
    }
    SLOTS[*entry - 1].value = wanted->value;
    uint32_t expression = veer_slot_expression(*entry - 1);
    if (!expression) full();
    return expression;
}

void veer_crossing(const struct veer_crossed *crossing) {
    uint32_t count = VEER_CONTROL->crossing_count;
    if (count >= VEER_CROSSINGS_CAPACITY) full();
    if (count >= OFTEN && LEVELS->count > 1) veer_refuse_level(&LEVELS->of[LEVELS->count - 1], VEER_REFUSAL_OFTEN);
    CROSSINGS[count] = *crossing;
    CROSSINGS[count].event = VEER_CONTROL->trace_count;
    VEER_CONTROL->crossing_count = count + 1;
}

/* Maps the table of slots, empty; 0 = there is no room. */
int veer_slots_map(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
    SLOT_INDEX->known = 0;
    return VEER_KERNEL(SYS_mmap, SLOT_TABLE, 4ull * VEER_SLOT_TABLE, PROT_READ | PROT_WRITE, flags, -1, 0) > 0;
}
