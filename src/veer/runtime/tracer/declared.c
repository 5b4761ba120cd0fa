/* What a compositional run learns of functions: the memory that each uses. The first access of other memory declares it, or has the
   function refused, and the run's record is void (control.boundary_changes); a function that is refused is executed as a part of its
   callers from then on. */
#include "declared.h"

#include <string.h>

#include "chunks.h"
#include "elements.h"
#include "found.h"
#include "image.h"
#include "input_objects.h"
#include "levels.h"
#include "objects.h"
#include "refusals.h"
#include "veer_runtime.h"
#include "waiting.h"
#include "words.h"

enum { MAX_OBJECT = 1024, MAX_GUESSES = VEER_DECLARED_CAPACITY / 2 }; /* bytes; records */

extern const struct veer_use __start_veer_uses[] __attribute__((weak));
extern const struct veer_use __stop_veer_uses[] __attribute__((weak));

/* The records are listed by function; the heads and links are numbers of records + 1. */
static uint16_t *list_of(uint32_t function) { return &DECLARATIONS->first[function % VEER_DECLARED_LISTS]; }

static void list_new_ones(void) {
    for (; DECLARATIONS->listed < VEER_CONTROL->declared_count; DECLARATIONS->listed++) {
        uint16_t *first = list_of(DECLARED[DECLARATIONS->listed].function);
        DECLARATIONS->next[DECLARATIONS->listed] = *first;
        *first = (uint16_t)(DECLARATIONS->listed + 1);
    }
}

static const struct veer_declared *of_function(uint32_t number, uint32_t function) {
    while (number && DECLARED[number - 1].function != function) number = DECLARATIONS->next[number - 1];
    return number ? &DECLARED[number - 1] : NULL;
}

/* What a function is declared to use, one after the other; NULL = no more. */
const struct veer_declared *veer_first_declared(uint32_t function) {
    list_new_ones();
    return of_function(*list_of(function), function);
}

const struct veer_declared *veer_next_declared(const struct veer_declared *declared) {
    return of_function(DECLARATIONS->next[declared - DECLARED], declared->function);
}

static int is_stack(uint64_t address) { return address >= VEER_STACK_BASE && address < (uint64_t)VEER_STACK_BASE + VEER_STACK_SIZE; }

static int is_own(const struct veer_level *level, uint64_t address) { return is_stack(address) && address >= level->mark; }

/* Whether an object may be declared: it has one size in all runs of a path, and no inputs that are still open. */
uint32_t veer_fault_of(const struct veer_found *found) {
    if (!found->region || (found->chunk && found->chunk->state != VEER_CHUNK_LIVE)) return VEER_REFUSAL_MEMORY;
    if (found->extent) return VEER_REFUSAL_EXTENT;
    if (found->input && veer_varies(found->input)) return VEER_REFUSAL_INPUT;
    return found->size > MAX_OBJECT ? VEER_REFUSAL_LARGE : VEER_REFUSAL_NONE;
}

int veer_leads_to(uint64_t pointer, const struct veer_found *found) {
    return pointer >= found->base && pointer <= found->base + found->size && found->size;
}

static struct veer_declared *known_as(uint32_t function, uint32_t argument, uint64_t base) {
    const struct veer_declared *known = veer_first_declared(function);
    while (known && (known->argument != argument || known->base != base)) known = veer_next_declared(known);
    return (struct veer_declared *)known;
}

static void declare(const struct veer_level *level, uint32_t argument, const struct veer_found *found, uint32_t unit, int is_store) {
    struct veer_control *control = VEER_CONTROL;
    uint64_t base = argument == VEER_NONE ? found->base : 0;
    struct veer_declared *known = known_as(level->function, argument, base);
    control->boundary_changes++;
    if (known) {
        known->written |= (uint16_t)is_store;
        known->is_guess = 0;
        return;
    }
    if (control->declared_count >= VEER_DECLARED_CAPACITY) {
        veer_refuse_level(level, VEER_REFUSAL_LARGE);
        return;
    }
    DECLARED[control->declared_count++] = (struct veer_declared){
        .function = level->function, .argument = argument, .base = base, .unit = (uint16_t)unit, .written = (uint16_t)is_store};
}

/* The function may not use the object as it is. Where that is what a pointer among the roots leads to, of which it is open how long it
   is, this is settled before the call from the next run on (settled.c); else the function is a part of its callers. */
void veer_refuse_object(const struct veer_level *level, const struct veer_found *found, uint32_t fault) {
    uint32_t leaf = found->input ? found->input->leaf : VEER_NONE;
    const struct veer_declared *settled = known_as(VEER_NONE, leaf, 0);
    int is_in_vain = settled && settled - DECLARED < DECLARATIONS->settled; /* it was to be settled in this run */
    if (fault != VEER_REFUSAL_INPUT || leaf == VEER_NONE || !veer_is_root_pointer(leaf) || is_in_vain) {
        veer_refuse_level(level, fault);
        return;
    }
    if (settled) return; /* by another access of this run, whose record is void */
    struct veer_level roots = {.function = VEER_NONE};
    struct veer_found nothing = {0};
    declare(&roots, leaf, &nothing, 1, 0);
}

int veer_must_settle(uint32_t leaf) { return known_as(VEER_NONE, leaf, 0) != NULL; }

/* The level uses an object that is not declared for its function, or not as written. */
static void learn(const struct veer_level *level, const struct veer_found *found, uint32_t unit, int is_store) {
    uint32_t fault = veer_fault_of(found);
    if (fault) {
        veer_refuse_object(level, found, fault);
    } else if (strcmp(found->region, "global") == 0) {
        declare(level, VEER_NONE, found, unit, is_store);
    } else {
        uint32_t argument = 0;
        while (argument < level->argument_count && !veer_leads_to(level->arguments[argument], found)) argument++;
        if (argument < level->argument_count) declare(level, argument, found, unit, is_store);
        else veer_refuse_level(level, VEER_REFUSAL_MEMORY);
    }
}

static uint32_t unit_of(uint64_t address, uint64_t size, uint64_t base) {
    uint32_t unit = size >= 8 ? 8 : size >= 4 ? 4 : size >= 2 ? 2 : 1;
    while ((address - base) % unit) unit /= 2;
    return unit;
}

/* What the `count` outermost levels have to know of an access. */
void veer_require_declared(uint32_t count, uint64_t address, uint64_t size, int is_store) {
    const struct veer_level *top = &LEVELS->of[count - 1];
    if (count < 2 || is_own(top, address)) return;
    if (address >= VEER_LOW_END || address + size > VEER_LOW_END || address < VEER_NULL_END) {
        if (address >= VEER_NULL_END) veer_refuse_levels(VEER_REFUSAL_MEMORY);
        return;
    }
    if (address >= IMAGE->const_begin && address + size <= IMAGE->const_end) return;
    for (uint64_t place = address; place < address + size; place++) {
        struct veer_owner *owner = &OWNERS[place];
        if (owner->declared >= top->serial && (!is_store || owner->written >= top->serial)) continue;
        struct veer_found found = veer_find_object(place);
        if (found.region && (place < found.base || place >= found.base + found.size)) found.region = NULL;
        for (uint32_t k = 1; k < count; k++) {
            const struct veer_level *level = &LEVELS->of[k];
            int is_known = owner->declared >= level->serial && (!is_store || owner->written >= level->serial);
            if (!is_known && !is_own(level, place)) learn(level, &found, unit_of(address, size, found.base), is_store);
        }
        if (!found.region) return;
        for (uint64_t byte = found.base; byte < found.base + found.size; byte++) {
            if (OWNERS[byte].declared < top->serial) OWNERS[byte].declared = top->serial;
            if (is_store && OWNERS[byte].written < top->serial) OWNERS[byte].written = top->serial;
        }
    }
}

/* Whether the access is an error whatever the callers did, which ends the run: there is nothing to know of it. Behind an object of which
   it is open where it ends, there is something. */
static int is_fault(uint64_t address, uint64_t size) {
    if (address < VEER_NULL_END || size >= VEER_LOW_END || address >= VEER_LOW_END - size) return 0;
    uint64_t good = veer_first_zero(address, size);
    if (good == size || (veer_foreign(address + good) && veer_foreign(address + size - 1))) return 0;
    struct veer_found found = veer_find_object(address);
    uint32_t fault = found.region ? veer_fault_of(&found) : VEER_REFUSAL_NONE;
    if (fault != VEER_REFUSAL_INPUT) return fault == VEER_REFUSAL_NONE;
    for (uint32_t k = 1; k < LEVELS->count; k++) veer_refuse_object(&LEVELS->of[k], &found, fault);
    return 1;
}

/* An access of the innermost activation, before it is made. */
void veer_level_access(uint64_t address, uint64_t size, int is_store) {
    if (LEVELS->count > 1 && !is_fault(address, size)) veer_require_declared(LEVELS->count, address, size, is_store);
}

/* Begins with what the text says, so that few runs are in vain. */
void veer_declare_guesses(void) {
    struct veer_control *control = VEER_CONTROL;
    for (const struct veer_use *use = __start_veer_uses; use < __stop_veer_uses && control->declared_count < MAX_GUESSES; use++) {
        uint32_t function = (uint32_t)use->function, argument = use->fact ? VEER_NONE - use->fact : use->argument;
        uint64_t base = (uint64_t)(uintptr_t)use->base;
        if (known_as(function, argument, base)) continue;
        DECLARED[control->declared_count++] = (struct veer_declared){
            .function = function, .argument = argument, .base = base, .is_guess = 1, .unit = (uint16_t)use->unit, .written = (uint16_t)use->written};
    }
}

static int is_declared(uint32_t function, uint32_t argument) { return known_as(function, argument, 0) != NULL; }

static void declare_once(const struct veer_level *level, uint32_t fact) {
    struct veer_found nothing = {0};
    if (!is_declared(level->function, fact)) declare(level, fact, &nothing, 1, 0);
}

/* A function of a cycle of calls is cut by what is under way around it, which is then a part of the state at the entry of each
   function that leads into the cycle. */
void veer_note_cycle(uint32_t function) {
    uint32_t count = LEVELS->count, first = 1;
    while (first < count && LEVELS->of[first].function != function) first++;
    if (first == count && !is_declared(function, IN_CYCLE)) return;
    for (uint32_t k = 1; k < count; k++) declare_once(&LEVELS->of[k], CALLS_CYCLE);
    for (uint32_t k = first; k < count; k++) declare_once(&LEVELS->of[k], IN_CYCLE);
}

/* What is under way of functions in cycles, in any order. */
uint64_t veer_cycles_around(void) {
    uint64_t sum = 0;
    for (uint32_t k = 1; k < LEVELS->count; k++)
        if (is_declared(LEVELS->of[k].function, IN_CYCLE)) sum += (LEVELS->of[k].function + 1) * VEER_HASH_MULTIPLIER;
    return sum;
}

/* A function with locals in memory goes by where they lie: their addresses may be seen. */
void veer_levels_use_stack(void) {
    struct veer_found stack = {0};
    for (uint32_t k = 1; k < LEVELS->count; k++) {
        if (LEVELS->of[k].uses_stack) continue;
        declare(&LEVELS->of[k], USES_STACK, &stack, 1, 0);
        LEVELS->of[k].uses_stack = 1;
    }
}
