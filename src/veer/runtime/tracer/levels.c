/* Levels: in a compositional run (Godefroid, "Compositional dynamic test generation", sections 3.1 and 3.2) an activation is executed
   over symbols of its own. What it may read is known at its entry: its arguments, and the memory that the function is declared to
   use. Each symbolic value among that is replaced by a slot, and put back when the activation ends; what comes out of it, too, is a
   slot, on the caller's side. So no condition of an activation speaks of anything but its own slots and what its callees gave it.

       caller's terms ─► ENTER, slots of the inputs ─► the function's own decisions ─► LEAVE, slots of the outputs ─► caller's terms

   Which memory that is, is learnt (declared.c). */
#include "levels.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "bounds.h"
#include "chunks.h"
#include "declared.h"
#include "endings.h"
#include "engine/arena.h"
#include "engine/bits.h"
#include "events.h"
#include "found.h"
#include "gather.h"
#include "globals.h"
#include "image.h"
#include "kernel.h"
#include "leaf_state.h"
#include "memory_map.h"
#include "objects.h"
#include "open_calls.h"
#include "refusals.h"
#include "run.h"
#include "slots.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

enum { MAX_RECURSION = 4, TOP_SERIAL = 0xf0000000u };

void veer_levels_begin(void) {
    LEVELS->count = LEVELS->aside_count = LEVELS->outer_calls = 0;
    VEER_CONTROL->crossing_count = 0;
    if (!VEER_CONTROL->compositional) return;
    if (!LEVELS->has_owners || LEVELS->serial > TOP_SERIAL) {
        int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
        if (VEER_KERNEL(SYS_mmap, OWNERS, OWNERS_SIZE, PROT_READ | PROT_WRITE, flags, -1, 0) < 0 || !veer_slots_map())
            veer_end_run(VEER_OUTCOME_CAPACITY, VEER_NONE, "there is no room for the record of a compositional run");
        LEVELS->has_owners = 1;
        LEVELS->serial = 0;
        veer_events_forget();
        veer_declare_guesses();
    }
    LEVELS->first_serial = ++LEVELS->serial;
}

/* -- slots for values ------------------------------------------------------------------------------------------------ */

static int is_pointer(uint64_t value) { return value >= IMAGE->begin && value < VEER_LOW_END; }

/* Replaces the term of `crossing` (`inner`, or its concrete `value` if that is 0) by the slot `name`. A pointer keeps its constant
   base, so that the object it points into is known on the other side. Records the crossing; returns the new term. */
static uint32_t replace(struct veer_slot name, struct veer_crossed *crossing) {
    uint64_t base = 0;
    const struct veer_node *node = &VEER_NODES[crossing->inner];
    if (crossing->inner && crossing->width == 64 && node->op == VEER_OP_ADD && veer_is_constant(node->b, &base) && is_pointer(base))
        crossing->inner = node->a;
    else
        base = 0;
    crossing->value -= base;
    name.width = crossing->width;
    name.value = crossing->width < 64 ? crossing->value & ((1ull << crossing->width) - 1) : crossing->value;
    crossing->slot = veer_slot(&name);
    if (crossing->kind == VEER_CROSSING_CELL || crossing->kind == VEER_CROSSING_OUTPUT) crossing->number = (uint32_t)base;
    else crossing->address = base;
    veer_crossing(crossing);
    if (!base) return crossing->slot;
    uint32_t constant = veer_constant(64, base);
    uint32_t sum = constant ? veer_expression(VEER_OP_ADD, 64, crossing->slot, constant, 0) : 0;
    if (!sum) veer_refuse_levels(VEER_REFUSAL_LOSS);
    return sum;
}

static struct veer_slot inner_name(const struct veer_level *level, uint32_t kind) {
    return (struct veer_slot){.function = level->function, .recursion = (uint16_t)level->recursion, .kind = (uint8_t)kind};
}

/* Of what the innermost activation gives to the one around it. */
static struct veer_slot outer_name(uint32_t kind) {
    const struct veer_level *outer = &LEVELS->of[LEVELS->count - 2];
    int is_outermost = LEVELS->count == 2;
    return (struct veer_slot){.function = is_outermost ? VEER_NONE : outer->function,
                              .recursion = (uint16_t)(is_outermost ? 0 : outer->recursion),
                              .kind = (uint8_t)kind,
                              .ordinal = outer->calls - 1};
}

static struct veer_crossed crossing_of(uint32_t kind, uint32_t width, uint32_t number, uint32_t term, uint64_t value) {
    return (struct veer_crossed){.kind = (uint8_t)kind,
                                  .width = (uint8_t)width,
                                  .level = (uint16_t)(LEVELS->count - 1),
                                  .function = LEVELS->of[LEVELS->count - 1].function,
                                  .number = number,
                                  .inner = term,
                                  .value = value & mask_of(width)};
}

/* -- entry ------------------------------------------------------------------------------------------------------------ */

/* Begins an activation. Returns its level + 1; 0: it is a part of the one around it. */
uint32_t veer_enter(uint32_t function) {
    uint32_t recursion = 0;
    if (!VEER_CONTROL->compositional || function >= VEER_REFUSALS_CAPACITY) return 0;
    if (LEVELS->count && (REFUSALS[function] || OPEN_CALLS->count)) return 0;
    if (LEVELS->count >= VEER_MAX_LEVELS) {
        veer_refuse_levels(VEER_REFUSAL_LIMIT);
        return 0;
    }
    if (LEVELS->count) veer_note_cycle(function);
    for (uint32_t k = 1; k < LEVELS->count; k++) recursion += LEVELS->of[k].function == function;
    if (recursion >= MAX_RECURSION) return 0;
    uint32_t number = LEVELS->count ? LEVELS->of[LEVELS->count - 1].calls++ : 0;
    struct veer_level *level = &LEVELS->of[LEVELS->count++];
    level->serial = ++LEVELS->serial;
    level->function = function;
    level->recursion = recursion;
    level->calls = LEVELS->count > 1 ? 0 : LEVELS->outer_calls; /* of all that the harness calls in one run */
    level->argument_count = 0;
    level->events = VEER_CONTROL->trace_count;
    level->mark = VEER_HOT->stack_pointer;
    level->changed = LEVELS->aside_count;
    level->uses_stack = 0;
    if (LEVELS->count > 1) {
        struct veer_crossed crossing = crossing_of(VEER_CROSSING_ENTER, 64, number, 0, recursion);
        veer_crossing(&crossing);
    }
    return LEVELS->count;
}

uint32_t veer_enter_argument(uint32_t level, uint32_t index, uint32_t shadow, uint32_t width, uint64_t value) {
    if (level < 2) return shadow;
    struct veer_level *own = &LEVELS->of[level - 1];
    width &= ~VEER_POINTER_WIDTH;
    LEVELS->count--; /* a pointer input that is still open is decided, by the caller */
    shadow = veer_settle(shadow, own->function);
    LEVELS->count++;
    if (!veer_symbolic(shadow) || VEER_NODES[shadow].op == VEER_OP_CONST) shadow = 0;
    own->arguments[index] = width == 64 ? value : 0;
    own->argument_count = index + 1;
    struct veer_crossed crossing = crossing_of(VEER_CROSSING_ARGUMENT, width, index, shadow, value);
    if (shadow) {
        struct veer_slot name = inner_name(own, VEER_CROSSING_ARGUMENT);
        name.number = index;
        return replace(name, &crossing);
    }
    veer_crossing(&crossing);
    return 0;
}

/* Whether the cell holds an input that is still open: a pointer that is not decided, an element that may not exist. */
static int is_open(uint64_t address, uint32_t size) {
    const uint32_t *words = veer_words(address);
    if (veer_is_undecided(address, size)) return 1;
    for (uint32_t k = 0; k < size; k++) {
        uint32_t expression = words[k] & VEER_EXPRESSION_MASK;
        if (words[k] < VEER_FIRST_EXPRESSION) continue;
        const struct veer_node *node = &VEER_NODES[expression];
        if (node->op == VEER_OP_CONST) return 1; /* the mark of bytes that nobody has asked for yet */
        if (node->op == VEER_OP_LEAF && LEAF_STATES[node->a].object &&
            (LEAF_STATES[node->a].epoch == RUN->epoch || LEAF_STATES[node->a].type_epoch == RUN->epoch))
            return 1;
    }
    return 0;
}

static void set_words(uint64_t address, uint32_t size, uint32_t term) {
    uint32_t constant = VEER_NODES[term].op == VEER_OP_CONST;
    veer_note_dirty(address, size);
    for (uint32_t k = 0; k < size; k++) veer_words(address)[k] = constant ? VEER_SHADOW_CONCRETE : k << VEER_FRAGMENT_SHIFT | term;
}

static uint64_t bytes_at(uint64_t address, uint32_t size) {
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)address, size);
    return value;
}

/* One cell on its way in. */
static void enter_cell(struct veer_level *level, uint64_t address, uint32_t size) {
    uint32_t term = 0;
    if (veer_first_zero(address, size) != size || is_open(address, size) || LEVELS->aside_count >= VEER_MAX_ASIDE) {
        veer_refuse_level(level, VEER_REFUSAL_INPUT);
        return;
    }
    if (veer_symbolic_range(address, size)) term = veer_gather(address, size);
    if (term && VEER_NODES[term].op == VEER_OP_CONST) term = 0;
    struct veer_crossed crossing = crossing_of(VEER_CROSSING_CELL, 8 * size, 0, term, bytes_at(address, size));
    crossing.address = address;
    if (!term) {
        veer_crossing(&crossing);
        return;
    }
    struct veer_set_aside *aside = &LEVELS->aside[LEVELS->aside_count++];
    aside->address = (uint32_t)address;
    aside->size = size;
    memcpy(aside->words, veer_words(address), 4ull * size);
    struct veer_slot name = inner_name(level, VEER_CROSSING_CELL);
    name.address = address;
    set_words(address, size, replace(name, &crossing));
}

/* Cells of `unit` bytes, what is left of the object in single bytes. */
static uint32_t cell_size(uint32_t unit, uint64_t place, uint64_t end) { return place + unit <= end ? unit : 1; }

static int has_open_cell(const struct veer_declared *declared, const struct veer_found *found) {
    for (uint64_t place = found->base, end = found->base + found->size; place < end;) {
        uint32_t size = cell_size(declared->unit, place, end);
        if (veer_first_zero(place, size) != size || is_open(place, size)) return 1;
        place += size;
    }
    return 0;
}

static void enter_object(struct veer_level *level, const struct veer_declared *declared) {
    uint64_t address = declared->argument == VEER_NONE ? declared->base : level->arguments[declared->argument];
    struct veer_found found = address >= VEER_NULL_END && address < VEER_LOW_END ? veer_find_object(address) : (struct veer_found){0};
    struct veer_crossed crossing = crossing_of(VEER_CROSSING_OBJECT, 64, declared->argument, 0, 0);
    int is_there = found.region && veer_leads_to(address, &found) && !(found.chunk && found.chunk->state != VEER_CHUNK_LIVE);
    if (is_there && strcmp(found.region, "constant") != 0) {
        uint32_t fault = veer_fault_of(&found);
        if (fault == VEER_REFUSAL_NONE && declared->is_guess && has_open_cell(declared, &found)) fault = VEER_REFUSAL_INPUT;
        if (fault && !declared->is_guess) {
            veer_refuse_object(level, &found, fault);
            return;
        }
        if (!fault) { /* else: it is not used, as long as no run shows it */
            crossing.address = found.base;
            crossing.value = found.size;
        }
    } else if (is_there) {
        crossing.address = found.base; /* its contents never change, and its size goes with its address */
    }
    veer_crossing(&crossing);
    if (!crossing.value || OWNERS[found.base].declared >= level->serial) {
        if (crossing.value && declared->written)
            for (uint64_t byte = found.base; byte < found.base + found.size; byte++) OWNERS[byte].written = level->serial;
        return;
    }
    veer_require_declared(LEVELS->count - 1, found.base, found.size, declared->written);
    for (uint64_t place = found.base, end = found.base + found.size; place < end;) {
        uint32_t size = cell_size(declared->unit, place, end);
        enter_cell(level, place, size);
        for (uint32_t k = 0; k < size; k++) {
            OWNERS[place + k].declared = level->serial;
            if (declared->written) OWNERS[place + k].written = level->serial;
        }
        place += size;
    }
}

void veer_enter_memory(uint32_t number) {
    if (number < 2) return;
    struct veer_level *level = &LEVELS->of[number - 1];
    level->events = VEER_CONTROL->trace_count;
    for (const struct veer_declared *declared = veer_first_declared(level->function); declared; declared = veer_next_declared(declared)) {
        if (declared->argument == CALLS_CYCLE || declared->argument == IN_CYCLE) {
            struct veer_crossed crossing = crossing_of(VEER_CROSSING_OBJECT, 64, declared->argument, 0, veer_cycles_around());
            veer_crossing(&crossing);
        } else if (declared->argument == USES_STACK) {
            struct veer_crossed crossing = crossing_of(VEER_CROSSING_OBJECT, 64, USES_STACK, 0, level->mark);
            veer_crossing(&crossing);
            level->uses_stack = 1;
        } else if (declared->argument == VEER_NONE || declared->argument < level->argument_count) {
            enter_object(level, declared);
        }
    }
}

/* -- return ----------------------------------------------------------------------------------------------------------- */

/* Whether another path of the activation may have given another value: what is concrete in this run is not always so. */
static int has_decided(const struct veer_level *level) { return VEER_CONTROL->trace_count > level->events; }

uint32_t veer_leave_result(uint32_t number, uint32_t index, uint32_t shadow, uint32_t width, uint64_t value) {
    if (number < 2) return shadow;
    struct veer_level *level = &LEVELS->of[number - 1];
    int is_address = width & VEER_POINTER_WIDTH || (width == 64 && is_pointer(value));
    width &= ~VEER_POINTER_WIDTH;
    shadow = veer_settle(shadow, level->function);
    if (!veer_symbolic(shadow) || VEER_NODES[shadow].op == VEER_OP_CONST) shadow = 0;
    struct veer_crossed crossing = crossing_of(VEER_CROSSING_RESULT, width, index, shadow, value);
    if (shadow || (has_decided(level) && !is_address)) {
        struct veer_slot name = outer_name(VEER_CROSSING_RESULT);
        name.number = index;
        return replace(name, &crossing);
    }
    veer_crossing(&crossing);
    return 0;
}

/* Whether the cell holds, or is a part of, a pointer to something of the unit's. */
static int holds_address(uint64_t address, uint32_t size) {
    uint64_t whole = address & ~7ull;
    return address + size <= whole + 8 && veer_first_zero(whole, 8) == 8 && !veer_symbolic_range(whole, 8) && is_pointer(bytes_at(whole, 8));
}

static void leave_cell(const struct veer_level *level, uint64_t address, uint32_t size) {
    uint32_t term = 0;
    if (veer_first_zero(address, size) != size || is_open(address, size)) {
        veer_refuse_level(level, VEER_REFUSAL_INPUT);
        return;
    }
    if (veer_symbolic_range(address, size)) term = veer_gather(address, size);
    if (term && VEER_NODES[term].op == VEER_OP_CONST) term = 0;
    struct veer_crossed crossing = crossing_of(VEER_CROSSING_OUTPUT, 8 * size, 0, term, bytes_at(address, size));
    crossing.address = address;
    if (!term && (!has_decided(level) || holds_address(address, size))) {
        veer_crossing(&crossing);
        return;
    }
    struct veer_slot name = outer_name(VEER_CROSSING_OUTPUT);
    name.address = address;
    set_words(address, size, replace(name, &crossing));
}

/* `leaving`: a serial of this return alone, for an object that two arguments lead to. */
static void leave_object(struct veer_level *level, const struct veer_declared *declared, uint32_t leaving) {
    uint64_t address = declared->argument == VEER_NONE ? declared->base : level->arguments[declared->argument];
    struct veer_found found = address >= VEER_NULL_END && address < VEER_LOW_END ? veer_find_object(address) : (struct veer_found){0};
    if (!found.region || !veer_leads_to(address, &found) || strcmp(found.region, "constant") == 0 || veer_fault_of(&found)) return;
    if (OWNERS[found.base].declared == leaving || OWNERS[found.base].declared < level->serial) return; /* not twice; not what did not enter */
    for (uint64_t place = found.base, end = found.base + found.size; place < end;) {
        uint32_t size = cell_size(declared->unit, place, end);
        leave_cell(level, place, size);
        OWNERS[place].declared = leaving;
        place += size;
    }
}

/* Ends an activation: the words of cells that it only read are put back, those that it may have written become the caller's. */
void veer_leave(uint32_t number) {
    if (number == 0) return;
    if (number == 1) {
        LEVELS->outer_calls = LEVELS->of[0].calls;
        LEVELS->count = 0;
        return;
    }
    struct veer_level *level = &LEVELS->of[number - 1];
    for (uint32_t k = LEVELS->aside_count; k > level->changed; k--) {
        const struct veer_set_aside *aside = &LEVELS->aside[k - 1];
        if (OWNERS[aside->address].written < level->serial) memcpy(veer_words(aside->address), aside->words, 4ull * aside->size);
    }
    LEVELS->aside_count = level->changed;
    uint32_t leaving = ++LEVELS->serial;
    for (const struct veer_declared *declared = veer_first_declared(level->function); declared; declared = veer_next_declared(declared))
        if (declared->written && (declared->argument == VEER_NONE || declared->argument < level->argument_count))
            leave_object(level, declared, leaving);
    struct veer_crossed crossing = crossing_of(VEER_CROSSING_LEAVE, 64, 0, 0, 0);
    veer_crossing(&crossing);
    LEVELS->count = number - 1;
}
