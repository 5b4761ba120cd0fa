/* What a compositional run learns of functions: the memory that each uses. The first access of other memory declares it, or has the
   function refused, and the run's record is void (control.boundary_changes); a function that is refused is executed as a part of its
   callers from then on. */
#include <string.h>

#include "levels.h"

enum { MAX_OBJECT = 1024 }; /* bytes */

void veer_refuse_level(const struct veer_level *level, uint32_t reason) {
    if (level->function >= VEER_REFUSALS_CAPACITY || REFUSALS[level->function]) return;
    REFUSALS[level->function] = (uint8_t)reason;
    VEER_CONTROL->boundary_changes++;
}

/* Every function under way, the outermost one aside, is a part of its callers from the next run on. */
void veer_refuse_levels(uint32_t reason) {
    for (uint32_t k = 1; k < TRACER->level_count; k++) veer_refuse_level(&TRACER->levels[k], reason);
}

static int is_stack(uint64_t address) { return address >= VEER_STACK_BASE && address < (uint64_t)VEER_STACK_BASE + VEER_STACK_SIZE; }

static int is_own(const struct veer_level *level, uint64_t address) { return is_stack(address) && address >= level->mark; }

/* Whether an object may be declared: it has one size in all runs of a path, and no inputs that are still open. */
uint32_t veer_fault_of(const struct veer_found *found) {
    if (!found->region || found->extent || (found->chunk && found->chunk->state != VEER_CHUNK_LIVE)) return VEER_REFUSAL_MEMORY;
    if (found->input && veer_varies(found->input)) return VEER_REFUSAL_INPUT;
    return found->size > MAX_OBJECT ? VEER_REFUSAL_LARGE : VEER_REFUSAL_NONE;
}

int veer_leads_to(uint64_t pointer, const struct veer_found *found) {
    return pointer >= found->base && pointer <= found->base + found->size && found->size;
}

static void declare(const struct veer_level *level, uint32_t argument, const struct veer_found *found, uint32_t unit, int is_store) {
    struct veer_control *control = VEER_CONTROL;
    uint64_t base = argument == VEER_NONE ? found->base : 0;
    control->boundary_changes++;
    for (uint32_t k = 0; k < control->declared_count; k++) {
        struct veer_declared *known = &DECLARED[k];
        if (known->function != level->function || known->argument != argument || known->base != base) continue;
        known->written |= (uint16_t)is_store;
        return;
    }
    if (control->declared_count >= VEER_DECLARED_CAPACITY) {
        veer_refuse_level(level, VEER_REFUSAL_LARGE);
        return;
    }
    DECLARED[control->declared_count++] = (struct veer_declared){
        .function = level->function, .argument = argument, .base = base, .unit = (uint16_t)unit, .written = (uint16_t)is_store};
}

/* The level uses an object that is not declared for its function, or not as written. */
static void learn(const struct veer_level *level, const struct veer_found *found, uint32_t unit, int is_store) {
    uint32_t fault = veer_fault_of(found);
    if (fault) {
        veer_refuse_level(level, fault);
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
    struct veer_tracer *tracer = TRACER;
    const struct veer_level *top = &tracer->levels[count - 1];
    if (count < 2 || is_own(top, address)) return;
    if (address >= VEER_LOW_END || address + size > VEER_LOW_END || address < VEER_NULL_END) {
        if (address >= VEER_NULL_END) veer_refuse_levels(VEER_REFUSAL_MEMORY);
        return;
    }
    if (address >= tracer->const_begin && address + size <= tracer->const_end) return;
    for (uint64_t place = address; place < address + size; place++) {
        struct veer_owner *owner = &OWNERS[place];
        if (owner->declared >= top->serial && (!is_store || owner->written >= top->serial)) continue;
        struct veer_found found = veer_find_object(place);
        if (found.region && (place < found.base || place >= found.base + found.size)) found.region = NULL;
        for (uint32_t k = 1; k < count; k++) {
            const struct veer_level *level = &tracer->levels[k];
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

/* An access of the innermost activation, before it is made. */
void veer_level_access(uint64_t address, uint64_t size, int is_store) {
    if (TRACER->level_count > 1) veer_require_declared(TRACER->level_count, address, size, is_store);
}

static int is_declared(uint32_t function, uint32_t argument) {
    for (uint32_t k = 0; k < VEER_CONTROL->declared_count; k++)
        if (DECLARED[k].function == function && DECLARED[k].argument == argument) return 1;
    return 0;
}

static void declare_once(const struct veer_level *level, uint32_t fact) {
    struct veer_found nothing = {0};
    if (!is_declared(level->function, fact)) declare(level, fact, &nothing, 1, 0);
}

/* A function of a cycle of calls is cut by what is under way around it, which is then a part of the state at the entry of each
   function that leads into the cycle. */
void veer_note_cycle(uint32_t function) {
    uint32_t count = TRACER->level_count, first = 1;
    while (first < count && TRACER->levels[first].function != function) first++;
    if (first == count && !is_declared(function, IN_CYCLE)) return;
    for (uint32_t k = 1; k < count; k++) declare_once(&TRACER->levels[k], CALLS_CYCLE);
    for (uint32_t k = first; k < count; k++) declare_once(&TRACER->levels[k], IN_CYCLE);
}

/* What is under way of functions in cycles, in any order. */
uint64_t veer_cycles_around(void) {
    uint64_t sum = 0;
    for (uint32_t k = 1; k < TRACER->level_count; k++)
        if (is_declared(TRACER->levels[k].function, IN_CYCLE)) sum += (TRACER->levels[k].function + 1) * VEER_HASH_MULTIPLIER;
    return sum;
}

/* A function with locals in memory goes by where they lie: their addresses may be seen. */
void veer_levels_use_stack(void) {
    struct veer_found stack = {0};
    for (uint32_t k = 1; k < TRACER->level_count; k++) {
        if (TRACER->levels[k].uses_stack) continue;
        declare(&TRACER->levels[k], USES_STACK, &stack, 1, 0);
        TRACER->levels[k].uses_stack = 1;
    }
}
