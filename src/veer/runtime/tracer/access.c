/* Loads and stores whose bytes are not all concrete and addressable, or whose address is symbolic. */
#include <string.h>

#include "bounds.h"
#include "cells.h"
#include "engine/arena.h"
#include "engine/unwritten.h"
#include "events.h"
#include "extents.h"
#include "gather.h"
#include "globals.h"
#include "memory_map.h"
#include "open_calls.h"
#include "process.h"
#include "resolve.h"
#include "undecided.h"
#include "uninitialised.h"
#include "unions.h"
#include "values.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

/* Whether a load at a symbolic address was made as a term over the object's contents, its shadow left in *result. */
static int read_term(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t site, uint32_t *result) {
    struct veer_cells cells;
    if (!veer_locate(address, address_shadow, size, 0, site, &cells)) return 0;
    uint32_t term = veer_read_cells(&cells, site);
    if (!term) {
        veer_pin(address_shadow, address, 64, site);
        return 0;
    }
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)address, size);
    veer_verify(term, value);
    *result = veer_result_shadow(term);
    return 1;
}

uint32_t veer_load(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t site) {
    uint32_t term;
    uint32_t asked = size;
    size = VEER_LOAD_SIZE(asked);
    address_shadow = veer_settle(address_shadow, site);
    if (veer_symbolic(address_shadow) && read_term(address, address_shadow, size, site, &term)) return term;
    veer_require(address, size, 0, site);
    if (address >= VEER_LOW_END || !veer_symbolic_range(address, size)) return 0;
    veer_touch_range(address, size, site);
    if (size == 8 && UNIONS->are_there) veer_take_member(address, VEER_LOAD_IS_POINTER(asked), VEER_LOAD_NAME(asked), site);
    term = size == 8 && !veer_past_bound() ? veer_load_pointer(address, site) : 0;
    if (term) return veer_result_shadow(term);
    veer_decide_range(address, size, site);
    if (veer_past_bound()) veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
    if (!veer_symbolic_range(address, size)) return 0;
    uint32_t result = veer_gather(address, size);
    if (PROCESS->verify && result) {
        uint64_t value = 0;
        memcpy(&value, (const void *)(uintptr_t)address, size);
        veer_verify(result, value);
    }
    return veer_result_shadow(result);
}

/* Whether a store at a symbolic address was made in all cells that it may mean. */
static int write_term(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t value_shadow, uint64_t value, uint32_t site) {
    struct veer_cells cells;
    if (!veer_locate(address, address_shadow, size, 1, site, &cells)) return 0;
    if (veer_is_constant_data(address, size)) veer_trap(site, VEER_TRAP_CONSTANT);
    value_shadow = veer_settle(value_shadow, site);
    uint32_t width = veer_symbolic(value_shadow) ? VEER_NODES[value_shadow].width : 8 * size;
    uint32_t term = width <= 8 * size ? veer_operand(width, value_shadow, value) : 0;
    if (term && width < 8 * size) term = veer_expression(VEER_OP_ZEXT, 8 * size, term, 0, 0);
    if (term && veer_write_cells(&cells, term)) {
        VEER_CONTROL->symbolic_operations++;
        return 1;
    }
    veer_pin(address_shadow, address, 64, site);
    return 0;
}

/* The words of an expression's bytes. Of a part of a word that nobody wrote yet (bit-fields), those that are known are concrete. */
static void set_words(uint64_t address, uint32_t size, uint32_t expression) {
    int is_partial = veer_holds_unwritten(expression);
    for (uint32_t k = 0; k < size; k++) {
        uint32_t byte = is_partial ? veer_expression(VEER_OP_EXTRACT, 8, expression, 8 * k, 0) : 0;
        int is_known = byte && VEER_NODES[byte].op == VEER_OP_CONST;
        veer_words(address)[k] = is_known ? VEER_SHADOW_CONCRETE : k << VEER_FRAGMENT_SHIFT | expression;
    }
}

void veer_store(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t value_shadow, uint64_t value, uint32_t site) {
    int is_concrete = !veer_symbolic(address_shadow) && !veer_symbolic(value_shadow);
    int is_first = is_concrete && !EXTENTS->count && address < VEER_LOW_END - size && veer_is_fresh(address, size);
    if (is_first) { /* a variable's first value; in an object of symbolic size, whether that byte exists is asked */
        veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
        return;
    }
    address_shadow = veer_settle(address_shadow, site);
    if (veer_symbolic(address_shadow) && write_term(address, address_shadow, size, value_shadow, value, site)) return;
    veer_require(address, size, 1, site);
    int is_foreign = address >= VEER_LOW_END || veer_words(address)[0] == 0;
    if (is_foreign || size != 8 || veer_past_bound() || veer_may_be_overwritten(address)) value_shadow = veer_settle(value_shadow, site);
    if (is_foreign) return;
    veer_touch_range(address, size, site);
    int is_lost = veer_symbolic(value_shadow) && veer_may_be_overwritten(address);
    if (is_lost) veer_unsupported(site, VEER_LOSS_EXTERNAL);
    if (!veer_symbolic(value_shadow) || veer_past_bound() || is_lost) {
        veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
        return;
    }
    uint32_t expression = value_shadow, width = VEER_NODES[value_shadow].width;
    veer_verify(expression, value);
    if (width < size * 8) expression = veer_expression(VEER_OP_ZEXT, size * 8, expression, 0, 0);
    if (!expression || width > size * 8) {
        veer_unsupported(site, VEER_LOSS_UNSUPPORTED);
        veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
        return;
    }
    if (VEER_NODES[expression].op == VEER_OP_CONST) {
        veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
        return;
    }
    veer_note_dirty(address, size);
    set_words(address, size, expression);
}

void veer_access(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t is_store, uint32_t site) {
    address = veer_resolve(address, address_shadow, size, (int)is_store, site);
    veer_require(address, size, (int)is_store, site);
    if (address >= VEER_LOW_END || !veer_symbolic_range(address, size)) return;
    veer_touch_range(address, size, site);
    if (is_store) {
        for (uint32_t k = 0; k < size; k++)
            if (veer_words(address)[k]) veer_words(address)[k] = VEER_SHADOW_CONCRETE;
        return;
    }
    veer_decide_range(address, size, site);
    veer_forget_unwritten(address, size);
    if (veer_symbolic_range(address, size)) veer_unsupported(site, VEER_LOSS_WIDE);
}
