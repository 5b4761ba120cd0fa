/* What a run allocated, or reached of static data, and left: for the expectations of tests. Memory is read as it is. Which of its words
   are pointers only its types tell: whatever looks like the address of a block is followed, and Python takes what it can name. */
#include "made.h"

#include <string.h>

#include "chunks.h"
#include "elements.h"
#include "engine/evaluate.h"
#include "engine/unwritten.h"
#include "found.h"
#include "globals.h"
#include "input_objects.h"
#include "memory_map.h"
#include "output_records.h"
#include "uninitialised.h"
#include "veer_shared.h"
#include "words.h"

enum { MOST_BYTES = 1024, MOST_SCANNED = 4096, WORD = 8, ALL_BITS = 0xff };

struct made {
    uint64_t address;
    uint32_t size;
};

struct walk {
    const struct veer_variable *variables;
    uint32_t variable_count, count;
    struct made of[VEER_MOST_MADE];
};

static int is_variable(const struct walk *walk, uint64_t address) {
    for (uint32_t k = 0; k < walk->variable_count; k++)
        if (veer_distance(address, (uint64_t)(uintptr_t)walk->variables[k].address, walk->variables[k].size) == 0) return 1;
    return 0;
}

/* The block of the unit's, or its static data, that the address lies in or right behind; size 0: none that anything can be said of. */
static struct made find(const struct walk *walk, uint64_t address) {
    struct made none = {0};
    if (address >= VEER_HEAP_BASE && address < CHUNKS->top) {
        const struct veer_chunk *chunk = veer_chunk_before(address);
        int is_own = chunk && chunk->state == VEER_CHUNK_LIVE && !chunk->input_object && address - chunk->address <= chunk->size;
        if (is_own && chunk->extent && ELEMENTS->untouched == VEER_SHADOW_CONCRETE) return none;
        return is_own ? (struct made){chunk->address, chunk->size} : none;
    }
    if (address < VEER_NULL_END || address >= VEER_HEAP_BASE || is_variable(walk, address)) return none;
    struct veer_found found = veer_find_global(address);
    int is_there = found.base <= address && address < found.base + found.size && found.size <= UINT32_MAX;
    return is_there ? (struct made){found.base, (uint32_t)found.size} : none;
}

static void note(struct walk *walk, struct made made) {
    for (uint32_t k = 0; k < walk->count; k++)
        if (walk->of[k].address == made.address) return;
    if (made.size && walk->count < VEER_MOST_MADE) walk->of[walk->count++] = made;
}

static void scan(struct walk *walk, uint64_t address, uint64_t size) {
    if (size > MOST_SCANNED) size = MOST_SCANNED;
    for (uint64_t place = (address + WORD - 1) & ~(uint64_t)(WORD - 1); place + WORD <= address + size; place += WORD)
        note(walk, find(walk, *(const uint64_t *)(uintptr_t)place));
}

/* The bits of a byte that nobody has written: those that are others where what is unwritten is. */
static uint8_t unwritten_bits(uint32_t word) {
    uint32_t expression = word & VEER_EXPRESSION_MASK, shift = 8 * (word >> VEER_FRAGMENT_SHIFT);
    uint32_t zeros = veer_with_unwritten_as(expression, 0), ones = veer_with_unwritten_as(expression, ~0ull);
    if (!zeros || !ones || shift >= 64) return ALL_BITS;
    veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
    return (uint8_t)((veer_evaluate(zeros) ^ veer_evaluate(ones)) >> shift);
}

/* In the place of a flag that a byte is unwritten, its bits that are. Of a block whose size is a term nobody has written what nobody
   has touched. */
static void tell_bits(uint8_t *flags, struct made made) {
    const uint32_t *words = veer_words(made.address);
    for (uint32_t k = 0; k < made.size; k++) {
        int is_untouched = ELEMENTS->untouched != VEER_SHADOW_CONCRETE && words[k] == ELEMENTS->untouched;
        if (is_untouched || (flags[k] && veer_is_fresh(made.address + k, 1))) flags[k] = ALL_BITS;
        else if (flags[k]) flags[k] = unwritten_bits(words[k]);
    }
}

void veer_tell_made(const struct veer_variable *variables, uint32_t count) {
    static struct walk walk;
    if (!VEER_CONTROL->follows_unwritten || VEER_CONTROL->is_concrete) return; /* nobody knows what was written */
    walk = (struct walk){.variables = variables, .variable_count = count};
    scan(&walk, (uint64_t)(uintptr_t)VEER_REGION(uint8_t, RESULT), VEER_CONTROL->result_length);
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++) {
        const struct veer_chunk *chunk = &CHUNKS->of[INPUT_OBJECTS->of[k].chunk];
        if (chunk->state == VEER_CHUNK_LIVE && chunk->input_object == k + 1) scan(&walk, chunk->address, chunk->size);
    }
    for (uint32_t k = 0; k < count; k++) scan(&walk, (uint64_t)(uintptr_t)variables[k].address, variables[k].size);
    for (uint32_t k = 0; k < walk.count; k++) { /* which grows */
        struct made made = walk.of[k];
        if (made.size > MOST_BYTES) made.size = MOST_BYTES;
        scan(&walk, made.address, made.size);
        uint32_t begin = VEER_CONTROL->output_length;
        veer_append_output(VEER_OUTPUTKIND_MADE, walk.of[k].size, made.address, made.size, WITH_FLAGS);
        if (VEER_CONTROL->output_length > begin)
            tell_bits(VEER_REGION(uint8_t, OUTPUTS) + begin + sizeof(struct veer_output) + made.size, made);
    }
}
