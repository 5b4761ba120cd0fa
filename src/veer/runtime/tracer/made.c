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
#include "sequence.h"
#include "uninitialised.h"
#include "veer_shared.h"
#include "words.h"

enum { MOST_BYTES = 1024, MOST_SCANNED = 4096, WORD = 8, ALL_BITS = 0xff, MOST_SITES = 64 };

/* A harness defines it in whose language tests look at static data, though nobody knows what other memory was written. */
extern const char veer_tells_static __attribute__((weak));

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

/* The block of the unit's, or its static data, that the address lies in or right behind; size 0: none that anything can be said of,
   as of blocks where nobody knows what was written. */
static struct made find(const struct walk *walk, uint64_t address) {
    struct made none = {0};
    if (address >= VEER_HEAP_BASE && address < CHUNKS->top) {
        const struct veer_chunk *chunk = veer_chunk_before(address);
        int is_own = chunk && chunk->state == VEER_CHUNK_LIVE && !chunk->input_object && address - chunk->address <= chunk->size;
        is_own &= VEER_CONTROL->follows_unwritten != 0;
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

/* The objects of a call sequence, and what its calls returned: their log has words of four bytes, and pointers between them. */
static void scan_sequence(struct walk *walk) {
    const uint8_t *log = VEER_REGION(uint8_t, RESULT);
    uint64_t size = VEER_CONTROL->result_length < MOST_SCANNED ? VEER_CONTROL->result_length : MOST_SCANNED, word;
    if (!SEQUENCES->count) return;
    for (uint32_t k = 0; k < SEQUENCES->count; k++) {
        const struct veer_pool_object *object = &SEQUENCES->objects[k];
        note(walk, find(walk, object->address));
        veer_append_output(VEER_OUTPUTKIND_POOL, (uint32_t)object->pool << 16 | object->number, object->address, 0, WITHOUT_FLAGS);
    }
    for (uint64_t at = 0; at + WORD <= size; at += WORD / 2) {
        memcpy(&word, log + at, WORD);
        note(walk, find(walk, word));
    }
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

/* -- how many blocks were allocated and freed ------------------------------------------------------------------- */

/* Before the entry was called: how many blocks there were, and whether one of them was freed. */
struct veer_made_before {
    uint32_t blocks, is_freed;
};
VEER_STATE_FITS(made_before);
#define MADE_BEFORE VEER_STATE(made_before)

void veer_begin_made(void) {
    *MADE_BEFORE = (struct veer_made_before){.blocks = CHUNKS->count};
    for (uint32_t k = 0; k < CHUNKS->count; k++) MADE_BEFORE->is_freed |= CHUNKS->of[k].state == VEER_CHUNK_FREED;
}

struct site_count {
    uint32_t site, count;
};

/* Counts one more at the site; 0: there is no room for it. */
static int count_at(struct site_count *counts, uint32_t site) {
    uint32_t k = 0;
    while (k < MOST_SITES && counts[k].count && counts[k].site != site) k++;
    if (k == MOST_SITES) return 0;
    counts[k].site = site;
    counts[k].count++;
    return 1;
}

static void tell_counts(uint32_t kind, const struct site_count *counts) {
    for (uint32_t k = 0; k < MOST_SITES && counts[k].count; k++)
        veer_append_output(kind, counts[k].count, counts[k].site, 0, WITHOUT_FLAGS);
}

static void tell_heap(void) {
    struct site_count allocated[MOST_SITES] = {{0}}, released[MOST_SITES] = {{0}};
    int is_whole = !MADE_BEFORE->is_freed;
    for (uint32_t k = 0; k < CHUNKS->count && is_whole; k++) {
        const struct veer_chunk *chunk = &CHUNKS->of[k];
        if (k >= MADE_BEFORE->blocks && !chunk->input_object) is_whole &= count_at(allocated, chunk->site);
        if (chunk->state == VEER_CHUNK_FREED) is_whole &= count_at(released, chunk->freed_site);
    }
    if (!is_whole) {
        veer_append_output(VEER_OUTPUTKIND_ALLOCATED, 0, VEER_NONE, 0, WITHOUT_FLAGS);
        return;
    }
    tell_counts(VEER_OUTPUTKIND_ALLOCATED, allocated);
    tell_counts(VEER_OUTPUTKIND_RELEASED, released);
}

void veer_tell_made(const struct veer_variable *variables, uint32_t count) {
    static struct walk walk;
    if (VEER_CONTROL->is_concrete || !(VEER_CONTROL->follows_unwritten || &veer_tells_static)) return; /* nobody knows what was written */
    walk = (struct walk){.variables = variables, .variable_count = count};
    tell_heap();
    scan_sequence(&walk);
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
