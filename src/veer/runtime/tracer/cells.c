/* Reads and writes at a symbolic index, as terms over the cells that may be meant.

       read   concrete cells           LOOKUP(index, table of their values)
              and symbolic ones        ite(index == k, cell k, ite(index == l, cell l, LOOKUP ...))
              and some never written   a CHECK that the index is of none of them; then they count for nothing
       write  each cell                ite(index == k, value, what was there)

   What is beyond the bounds is left to the caller, who fixes the address instead. */
#include "cells.h"

#include <string.h>

#include "bounds.h"
#include "declared.h"
#include "elements.h"
#include "engine/arena.h"
#include "engine/tables.h"
#include "events.h"
#include "gather.h"
#include "globals.h"
#include "open_calls.h"
#include "places.h"
#include "uninitialised.h"
#include "unions.h"
#include "veer_shared.h"
#include "words.h"

enum { KNOWN_TABLES = 64 };

/* The table of cells of a constant object. */
struct known_table {
    uint64_t first, stride;
    uint32_t count, size, table;
};

struct veer_cell_tables {
    struct known_table of[KNOWN_TABLES]; /* direct-mapped */
    uint8_t entries[8 * VEER_MAX_CELLS]; /* of the table that is being made */
    uint8_t kinds[VEER_MAX_CELLS];       /* of its cells */
};
VEER_STATE_FITS(cell_tables);
#define CELL_TABLES VEER_STATE(cell_tables)

enum { IS_CONCRETE, IS_SYMBOLIC, IS_UNWRITTEN }; /* kinds of cells */
enum { MAX_READ = 4096, MAX_SYMBOLIC = 256, MAX_ASSUMED = 16 };

static uint64_t place_of(const struct veer_cells *cells, uint32_t k) { return cells->first + k * cells->stride; }

static uint32_t is_cell(const struct veer_cells *cells, uint32_t k) {
    uint32_t width = VEER_NODES[cells->index].width, number = veer_constant(width, k);
    return number ? veer_expression(VEER_OP_EQ, 1, cells->index, number, 0) : 0;
}

static uint32_t choice(uint32_t condition, uint32_t yes, uint32_t no) {
    return condition && yes && no ? veer_expression(VEER_OP_ITE, VEER_NODES[yes].width, condition, yes, no) : 0;
}

/* The term where the condition holds: what earlier writes at the same index say is taken out. */
static uint32_t assuming(uint32_t condition, uint32_t term, uint32_t nesting) {
    const struct veer_node *node = &VEER_NODES[term];
    if (node->op != VEER_OP_ITE || nesting == MAX_ASSUMED) return term;
    if (node->a == condition) return assuming(condition, node->b, nesting + 1);
    uint32_t no = assuming(condition, node->c, nesting + 1);
    return no == node->c ? term : choice(node->a, node->b, no);
}

/* Whether the cell is concrete (0), symbolic (1), or cannot be part of a term (-1): not addressable, a pointer that is still to be
   decided. */
static int content_of(uint64_t address, uint32_t size) {
    const uint32_t *words = veer_words(address);
    const uint8_t *bytes = (const uint8_t *)(uintptr_t)address;
    int symbolic = 0;
    if (size == 8 && UNIONS->are_there && veer_is_offered(address)) return -1;
    for (uint32_t i = 0; i < size; i++) {
        int is_marked = words[i] == ELEMENTS->untouched && ELEMENTS->untouched != VEER_SHADOW_CONCRETE;
        if (words[i] == VEER_SHADOW_UNADDRESSABLE || (is_marked && bytes[i] != 0)) return -1; /* the mark is a term: 0 */
        symbolic |= words[i] != VEER_SHADOW_CONCRETE;
    }
    return symbolic && veer_is_undecided(address, size) ? -1 : symbolic;
}

/* The kind of each cell; copies the concrete ones behind one another and lists the symbolic ones. Returns how many of these there are,
   -1 = too many, or one that cannot be part of a term. */
static int sort(const struct veer_cells *cells, uint8_t *entries, uint32_t *symbolic) {
    uint32_t found = 0, size = cells->size;
    uint8_t *kinds = CELL_TABLES->kinds;
    for (uint32_t k = 0; k < cells->count; k++) {
        uint64_t address = place_of(cells, k);
        int content = cells->is_constant ? 0 : content_of(address, size);
        kinds[k] = content == 0 ? IS_CONCRETE : veer_is_fresh(address, size) ? IS_UNWRITTEN : IS_SYMBOLIC;
        if (content < 0 || (kinds[k] == IS_SYMBOLIC && found == MAX_SYMBOLIC)) return -1;
        if (kinds[k] == IS_CONCRETE) memcpy(entries + (size_t)k * size, (const void *)(uintptr_t)address, size);
        if (kinds[k] == IS_SYMBOLIC) symbolic[found++] = k;
    }
    return (int)found;
}

/* The same, and the place of what is not concrete gets the value of a neighbour, so that runs of equal entries stay whole. */
static int collect(const struct veer_cells *cells, uint8_t *entries, uint32_t *symbolic) {
    const uint8_t *kinds = CELL_TABLES->kinds;
    uint32_t size = cells->size, first_concrete = 0;
    int found = sort(cells, entries, symbolic);
    while (first_concrete < cells->count && kinds[first_concrete] != IS_CONCRETE) first_concrete++;
    for (uint32_t k = 0; found >= 0 && k < cells->count && first_concrete < cells->count; k++) {
        if (kinds[k] == IS_CONCRETE) continue;
        uint32_t neighbour = k < first_concrete ? first_concrete : k - 1;
        memcpy(entries + (size_t)k * size, entries + (size_t)neighbour * size, size);
    }
    return found;
}

static uint32_t count_of(const struct veer_cells *cells, uint8_t kind) {
    uint32_t count = 0;
    for (uint32_t k = 0; k < cells->count; k++) count += CELL_TABLES->kinds[k] == kind;
    return count;
}

/* The literal that the index is of a cell that somebody has written: of the first ones, or by a table. */
static uint32_t is_written(const struct veer_cells *cells) {
    const uint8_t *kinds = CELL_TABLES->kinds;
    uint8_t flags[MAX_READ];
    uint32_t first = 0, width = VEER_NODES[cells->index].width, unwritten = count_of(cells, IS_UNWRITTEN);
    while (first < cells->count && kinds[first] != IS_UNWRITTEN) first++;
    if (first + unwritten == cells->count) {
        uint32_t end = veer_constant(width, first);
        return end ? veer_expression(VEER_OP_ULT, 1, cells->index, end, 0) : 0;
    }
    for (uint32_t k = 0; k < cells->count; k++) flags[k] = kinds[k] != IS_UNWRITTEN;
    uint32_t table = veer_intern_table(flags, cells->count, 1);
    uint32_t flag = table ? veer_expression(VEER_OP_LOOKUP, 8, cells->index, table, 0) : 0;
    return flag ? veer_expression(VEER_OP_EQ, 1, flag, veer_constant(8, 1), 0) : 0;
}

/* Decides whether the cell that is read was written; returns whether it was. */
static int decide_written(const struct veer_cells *cells, uint32_t site) {
    uint32_t literal = is_written(cells), holds = CELL_TABLES->kinds[cells->here] != IS_UNWRITTEN;
    if (literal) veer_event(VEER_KIND_CHECK, literal, holds, site);
    return literal && holds;
}

/* The value of concrete cells, by the index. */
static uint32_t look_up(const struct veer_cells *cells, const uint8_t *entries) {
    uint32_t same = 1, size = cells->size;
    while (same < cells->count && !memcmp(entries, entries + (size_t)same * size, size)) same++;
    if (same == cells->count) {
        uint64_t value = 0;
        memcpy(&value, entries, size);
        return veer_constant(8 * size, value);
    }
    uint32_t table = veer_intern_table(entries, cells->count, size);
    return table ? veer_expression(VEER_OP_LOOKUP, 8 * size, cells->index, table, 0) : 0;
}

/* The table of a constant object is remembered: its contents never change. */
static uint32_t look_up_constant(const struct veer_cells *cells) {
    uint64_t hash = (cells->first ^ cells->stride << 32 ^ (uint64_t)cells->count << 40 ^ cells->size) * VEER_HASH_MULTIPLIER;
    struct known_table *known = &CELL_TABLES->of[hash >> 58];
    int is_known = known->table && known->first == cells->first && known->stride == cells->stride &&
                   known->count == cells->count && known->size == cells->size;
    if (is_known) return veer_expression(VEER_OP_LOOKUP, 8 * cells->size, cells->index, known->table, 0);
    uint32_t none;
    collect(cells, CELL_TABLES->entries, &none);
    uint32_t result = look_up(cells, CELL_TABLES->entries);
    if (result && VEER_NODES[result].op == VEER_OP_LOOKUP && VEER_NODES[result].a == cells->index)
        *known = (struct known_table){cells->first, cells->stride, cells->count, cells->size, VEER_NODES[result].b};
    return result;
}

/* The term of a read; 0 = beyond the bounds, or a cell that was never written. */
uint32_t veer_read_cells(const struct veer_cells *cells, uint32_t site) {
    uint32_t symbolic[MAX_SYMBOLIC];
    if (cells->is_constant) return look_up_constant(cells);
    if (cells->count > MAX_READ) return 0;
    veer_level_access(cells->first, place_of(cells, cells->count - 1) + cells->size - cells->first, 0);
    int found = collect(cells, CELL_TABLES->entries, symbolic);
    if (found < 0) return 0;
    if (count_of(cells, IS_UNWRITTEN) && !decide_written(cells, site)) return 0;
    uint32_t left = (uint32_t)found, result;
    if (count_of(cells, IS_CONCRETE)) {
        result = look_up(cells, CELL_TABLES->entries);
    } else {
        uint32_t last = symbolic[--left]; /* needs no condition: the index is of a cell that was written */
        result = assuming(is_cell(cells, last), veer_gather(place_of(cells, last), cells->size), 0);
    }
    while (left-- > 0 && result) {
        uint32_t condition = is_cell(cells, symbolic[left]), cell = veer_gather(place_of(cells, symbolic[left]), cells->size);
        result = condition && cell ? choice(condition, assuming(condition, cell, 0), result) : 0;
    }
    return result;
}

/* One cell of a write. */
static int write_cell(const struct veer_cells *cells, uint32_t k, uint32_t value) {
    uint64_t address = place_of(cells, k);
    uint32_t old = veer_gather(address, cells->size), changed = choice(is_cell(cells, k), value, old);
    if (!changed) return 0;
    if (changed == old) return 1;
    if (VEER_NODES[changed].op == VEER_OP_CONST) {
        veer_fill_words(address, cells->size, VEER_SHADOW_CONCRETE);
        return 1;
    }
    veer_note_dirty(address, cells->size);
    for (uint32_t i = 0; i < cells->size; i++) veer_words(address)[i] = i << VEER_FRAGMENT_SHIFT | changed;
    return 1;
}

/* A write of `value`, an expression of the cells' width; 0 = beyond the bounds. Cells that were changed until then are right in any
   case: each says what it holds after the write. */
int veer_write_cells(const struct veer_cells *cells, uint32_t value) {
    if (cells->is_constant || cells->count > VEER_MAX_WRITTEN || veer_may_be_overwritten(cells->first)) return 0;
    veer_level_access(cells->first, place_of(cells, cells->count - 1) + cells->size - cells->first, 1);
    for (uint32_t k = 0; k < cells->count; k++)
        if (content_of(place_of(cells, k), cells->size) < 0) return 0;
    if (cells->stride >= cells->size) {
        for (uint32_t k = 0; k < cells->count; k++)
            if (!write_cell(cells, k, value)) return 0;
        return 1;
    }
    for (uint32_t i = 0; i < cells->size; i++) { /* cells overlap: byte by byte */
        struct veer_cells bytes = *cells;
        uint32_t byte = veer_expression(VEER_OP_EXTRACT, 8, value, 8 * i, 0);
        bytes.first += i;
        bytes.size = 1;
        for (uint32_t k = 0; k < bytes.count; k++)
            if (!byte || !write_cell(&bytes, k, byte)) return 0;
    }
    return 1;
}
