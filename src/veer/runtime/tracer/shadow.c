/* The shadow of memory: loads and stores whose bytes are not all concrete and addressable, or whose address is symbolic. */
#include <string.h>

#include "flows.h"
#include "tracer.h"

/* Sets the words of a range, all to the same value. */
void veer_fill_words(uint64_t address, uint64_t size, uint32_t word) {
    uint32_t *words = veer_words(address);
    if (word == 0) memset(words, 0, size * 4);
    else
        for (uint64_t i = 0; i < size; i++) words[i] = word;
}

/* Remembers that words of globals differ from what they are at a run's start. */
void veer_note_dirty(uint64_t address, uint64_t size) {
    struct veer_tracer *tracer = TRACER;
    if (address < tracer->data_begin || address >= tracer->data_end || size == 0) return;
    struct veer_range *last = tracer->dirty_count ? &tracer->dirty[tracer->dirty_count - 1] : NULL;
    if (last && address >= last->begin && address <= last->end) {
        if (address + size > last->end) last->end = (uint32_t)(address + size);
    } else if (tracer->dirty_count < VEER_MAX_DIRTY) {
        tracer->dirty[tracer->dirty_count++] = (struct veer_range){(uint32_t)address, (uint32_t)(address + size)};
    } else {
        tracer->dirty_overflow = 1;
    }
}

/* Index of the first byte of the range that is not addressable, or `size`. The range lies in the low 2 GiB. */
uint64_t veer_first_zero(uint64_t address, uint64_t size) {
    const uint32_t *words = veer_words(address);
    uint64_t i = 0;
    for (; i + 16 <= size; i += 16) {
        uint32_t any = 0;
        for (int k = 0; k < 16; k++) any |= words[i + k] == 0;
        if (any) break;
    }
    while (i < size && words[i] != 0) i++;
    return i;
}

/* An access of memory that is not the unit's is let through; should it fault, this is its site. */
static void note_foreign(uint32_t site) {
    TRACER->foreign_site = site;
    TRACER->foreign_depth = VEER_HOT->depth;
}

/* Ends the run unless all bytes of the range may be accessed. */
void veer_require(uint64_t address, uint64_t size, int is_store, uint32_t site) {
    if (size == 0) return;
    veer_level_access(address, size, is_store);
    if (address >= VEER_LOW_END) {
        if (veer_own_address(address) || address + size < address) veer_bad_access(address, size, is_store, site);
        note_foreign(site);
        return;
    }
    if (address + size > VEER_LOW_END || address < VEER_NULL_END) veer_bad_access(address, size, is_store, site);
    uint64_t good = veer_first_zero(address, size);
    if (good == size) return;
    struct veer_found found = veer_find_object(address);
    if (found.extent && address >= found.base && address - found.base <= found.capacity)
        veer_extent_reaches(found.extent, address + size - found.base, site);
    if (veer_foreign(address + good) && veer_foreign(address + size - 1)) {
        note_foreign(site);
        return;
    }
    veer_bad_access(address + good, size, is_store, site);
}

/* The leaf of an expression that is nothing but a leaf, or NONE. */
static uint32_t leaf_of(uint32_t expression) {
    const struct veer_node *node = &VEER_NODES[expression];
    return node->op == VEER_OP_LEAF ? node->a : VEER_NONE;
}

/* Whether the leaf lies in an element of a string or buffer that no decision has found to exist. */
static int is_untouched(uint32_t leaf) {
    const struct veer_leaf_state *state = &TRACER->leaves[leaf];
    if (!state->object) return 0;
    const struct veer_input_object *object = &TRACER->input_objects[state->object - 1];
    return VEER_LEAVES[leaf].offset / object->element_size >= object->known;
}

/* Whether a pointer input that is still to be decided overlaps the range. */
int veer_is_undecided(uint64_t address, uint64_t size) {
    for (uint64_t i = 0; i < size; i++) {
        uint32_t word = veer_words(address)[i], leaf = word < VEER_FIRST_EXPRESSION ? VEER_NONE : leaf_of(word & VEER_EXPRESSION_MASK);
        if (leaf != VEER_NONE && VEER_LEAVES[leaf].kind == VEER_LEAFKIND_CHOICE) return 1;
        if (veer_pointer_of(word & VEER_EXPRESSION_MASK) != VEER_NONE) return 1;
    }
    return 0;
}

/* Decides the undecided pointers whose cells overlap the range, and writes them into memory. */
void veer_decide_range(uint64_t address, uint64_t size, uint32_t site) {
    for (uint64_t i = 0; i < size; i++) {
        uint32_t word = veer_words(address)[i];
        if (word < VEER_FIRST_EXPRESSION || VEER_NODES[word & VEER_EXPRESSION_MASK].width != 64) continue;
        uint32_t leaf = veer_pointer_of(word & VEER_EXPRESSION_MASK);
        if (leaf != VEER_NONE) { /* met before: its bytes are those of the address */
            veer_decide_pointer(leaf, site);
            veer_words(address)[i] = VEER_SHADOW_CONCRETE;
            continue;
        }
        leaf = leaf_of(word & VEER_EXPRESSION_MASK);
        if (leaf == VEER_NONE || VEER_LEAVES[leaf].kind != VEER_LEAFKIND_CHOICE) continue;
        uint64_t value = veer_decide_pointer(leaf, site);
        uint8_t *bytes = (uint8_t *)(uintptr_t)address;
        /* The cell may stretch beyond the range on both sides; all of its bytes that still carry this leaf change. */
        uint32_t expression = word & VEER_EXPRESSION_MASK, fragment = word >> VEER_FRAGMENT_SHIFT;
        uint32_t concrete = is_untouched(leaf) ? TRACER->untouched : VEER_SHADOW_CONCRETE;
        if (veer_has_flows()) veer_flow_pointer(address + i - fragment);
        for (uint32_t k = 0; k < 8; k++) {
            int64_t place = (int64_t)i + k - (int64_t)fragment;
            uint32_t *other = &veer_words(address)[place];
            if (*other != (k << VEER_FRAGMENT_SHIFT | expression)) continue;
            bytes[place] = (uint8_t)(value >> (8 * k));
            *other = concrete;
        }
    }
}

/* The first touch of a concrete byte of such an input, or of an object of symbolic size; from now on it is like any other concrete
   byte. */
static void touch_concrete(uint64_t address, uint32_t site) {
    struct veer_found found = veer_find_object(address);
    if (found.input && address >= found.base && address < found.base + found.size)
        veer_element_exists(found.input, (address - found.base) / found.input->element_size, VEER_KIND_CHECK, site);
    veer_words(address)[0] = VEER_SHADOW_CONCRETE;
}

/* Bytes of an object of symbolic size that are not simply concrete may exist in this run alone: its size is asked. */
static void touch_sized(uint64_t address, uint64_t size, uint32_t site) {
    struct veer_found found = veer_find_object(address);
    if (found.extent && address >= found.base && address < found.base + found.size)
        veer_extent_reaches(found.extent, address + size - found.base, site);
}

/* First touches of characters and elements of inputs whose length varies: decides that they exist. */
void veer_touch_range(uint64_t address, uint64_t size, uint32_t site) {
    const struct veer_tracer *tracer = TRACER;
    if (!tracer->has_extents) return;
    uint32_t *words = veer_words(address);
    if (tracer->extent_count && veer_symbolic_range(address, size)) touch_sized(address, size, site);
    for (uint64_t i = 0; i < size; i++) {
        if (words[i] < VEER_FIRST_EXPRESSION) continue;
        uint32_t expression = words[i] & VEER_EXPRESSION_MASK, leaf = leaf_of(expression);
        if (VEER_NODES[expression].op == VEER_OP_CONST) touch_concrete(address + i, site);
        if (leaf == VEER_NONE || !tracer->leaves[leaf].object) continue;
        if (tracer->leaves[leaf].epoch == tracer->epoch || tracer->leaves[leaf].type_epoch == tracer->epoch) veer_touch(leaf, site);
    }
}

int veer_symbolic_range(uint64_t address, uint64_t size) {
    const uint32_t *words = veer_words(address);
    uint64_t i = 0;
    for (; i + 16 <= size; i += 16) {
        uint32_t any = 0;
        for (int k = 0; k < 16; k++) any |= words[i + k] >= VEER_FIRST_EXPRESSION;
        if (any) return 1;
    }
    for (; i < size; i++)
        if (words[i] >= VEER_FIRST_EXPRESSION) return 1;
    return 0;
}

/* The part of `words[begin:]` that is one constant or consecutive bytes of one expression: its end, at most `size`. */
static uint32_t part_end(const uint32_t *words, uint32_t begin, uint32_t size) {
    uint32_t end = begin + 1;
    if (words[begin] < VEER_FIRST_EXPRESSION)
        while (end < size && words[end] < VEER_FIRST_EXPRESSION) end++;
    else
        while (end < size && words[end] == words[begin] + ((end - begin) << VEER_FRAGMENT_SHIFT)) end++;
    return end;
}

/* The expression of one such part. */
static uint32_t part(const uint32_t *words, const uint8_t *bytes, uint32_t begin, uint32_t end) {
    uint32_t width = (end - begin) * 8;
    if (words[begin] < VEER_FIRST_EXPRESSION) {
        uint64_t value = 0;
        memcpy(&value, bytes + begin, end - begin);
        return veer_constant(width, value);
    }
    uint32_t expression = words[begin] & VEER_EXPRESSION_MASK, fragment = words[begin] >> VEER_FRAGMENT_SHIFT;
    if (fragment == 0 && VEER_NODES[expression].width == width) return expression;
    return veer_expression(VEER_OP_EXTRACT, width, expression, fragment * 8, 0);
}

/* The expression of `size` bytes of memory, at most 8. */
uint32_t veer_gather(uint64_t address, uint32_t size) {
    if (TRACER->has_unions) veer_read_member(address, size, veer_here());
    const uint32_t *words = veer_words(address);
    const uint8_t *bytes = (const uint8_t *)(uintptr_t)address;
    uint32_t end = part_end(words, 0, size), result = part(words, bytes, 0, end), width = end * 8;
    while (end < size && result) {
        uint32_t next = part_end(words, end, size), more = part(words, bytes, end, next);
        width = next * 8;
        result = more ? veer_expression(VEER_OP_CONCAT, width, more, result, 0) : 0;
        end = next;
    }
    return result;
}

/* Whether a load at a symbolic address was made as a term over the object's contents, its shadow left in *result. */
static int read_term(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t site, uint32_t *result) {
    struct veer_cells cells;
    if (!veer_locate(address, address_shadow, size, 0, site, &cells)) return 0;
    uint32_t term = veer_read_cells(&cells);
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
    if (size == 8 && TRACER->has_unions) veer_take_member(address, VEER_LOAD_IS_POINTER(asked), VEER_LOAD_NAME(asked), site);
    term = size == 8 && !veer_past_bound() ? veer_load_pointer(address, site) : 0;
    if (term) return veer_result_shadow(term);
    veer_decide_range(address, size, site);
    if (veer_past_bound()) veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
    if (!veer_symbolic_range(address, size)) return 0;
    uint32_t result = veer_gather(address, size);
    if (TRACER->verify && result) {
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

void veer_store(uint64_t address, uint32_t address_shadow, uint32_t size, uint32_t value_shadow, uint64_t value, uint32_t site) {
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
    for (uint32_t k = 0; k < size; k++) veer_words(address)[k] = k << VEER_FRAGMENT_SHIFT | expression;
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
    if (veer_symbolic_range(address, size)) veer_unsupported(site, VEER_LOSS_WIDE);
}
