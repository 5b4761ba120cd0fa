/* Symbolic addresses: which object an access is meant for, whether it lies within, and how the place in it depends on the
   input.

       address = base of the object + offset        the base is the sum of the constant addends, or a pointer that was read
       offset  = first + stride * index             the cells that the access may touch: veer_cells

   Whatever is decided here depends on the form of the address alone, never on the value that it happens to have, for then the
   next run of the path would ask another question. */
#include "resolve.h"

#include <string.h>

#include "bad_access.h"
#include "cells.h"
#include "chunks.h"
#include "declared.h"
#include "elements.h"
#include "engine/arena.h"
#include "engine/bits.h"
#include "engine/evaluate.h"
#include "engine/node.h"
#include "engine/semantics.h"
#include "engine/support.h"
#include "events.h"
#include "extents.h"
#include "found.h"
#include "growth.h"
#include "image.h"
#include "input_objects.h"
#include "memory_map.h"
#include "objects.h"
#include "uninitialised.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

enum { MAX_TERMS = 16, MAX_POINTER_CHOICES = 64, BOUNDED_BITS = 32, MOST_STEPS = 256 };
#define MAX_SCALE (1ull << 24)

/* An address as a sum, modulo 2^64. */
struct sum {
    uint64_t constant;
    uint32_t count;
    uint32_t terms[MAX_TERMS];
};

static uint32_t make(uint32_t op, uint32_t width, uint32_t a, uint32_t b) {
    return a && b ? veer_expression(op, width, a, b, 0) : 0;
}

static uint32_t constant(uint64_t value) { return veer_constant(64, value); }

/* Splits an expression of 64 bits into its addends; where there are too many, some stay together. Constants are outermost in a sum,
   so that the base is found in any case. */
static void split(uint32_t expression, struct sum *sum) {
    uint32_t waiting[MAX_TERMS], count = 1;
    *sum = (struct sum){0};
    waiting[0] = expression;
    while (count) {
        uint32_t id = waiting[--count];
        const struct veer_node *node = &VEER_NODES[id];
        if (node->op == VEER_OP_CONST) {
            sum->constant += node->value;
        } else if (node->op == VEER_OP_ADD && count + 2 + sum->count <= MAX_TERMS) {
            waiting[count++] = node->b;
            waiting[count++] = node->a;
        } else {
            sum->terms[sum->count++] = id;
        }
    }
}

/* The sum as an expression; 0 = no room. */
static uint32_t joined(const struct sum *sum) {
    uint32_t result = constant(sum->constant);
    for (uint32_t k = 0; k < sum->count; k++) result = make(VEER_OP_ADD, 64, sum->terms[k], result);
    return result;
}

static int is_pointer(uint64_t value) { return value >= IMAGE->begin && value < VEER_LOW_END; }

int veer_starts_from_object(uint32_t shadow) {
    struct sum sum;
    if (!veer_symbolic(shadow) || VEER_NODES[shadow].op != VEER_OP_ADD) return 0;
    split(shadow, &sum);
    return sum.count && is_pointer(sum.constant);
}

/* Whether a term of 64 bits is a choice between pointers (and null): read from a table of them. */
static int is_choice_of_pointers(uint32_t term) {
    int pointers = 0;
    for (uint32_t steps = 0; steps < MAX_POINTER_CHOICES && VEER_NODES[term].op == VEER_OP_ITE; steps++) {
        uint64_t value;
        if (!veer_is_constant(VEER_NODES[term].b, &value)) return 0;
        if (value && !is_pointer(value)) return 0;
        pointers |= value != 0;
        term = VEER_NODES[term].c;
    }
    const struct veer_node *node = &VEER_NODES[term];
    if (node->op == VEER_OP_CONST) return is_pointer(node->value) || (node->value == 0 && pointers);
    if (node->op != VEER_OP_LOOKUP || node->width != 64) return 0;
    const struct veer_lookup_table *table = (const struct veer_lookup_table *)&VEER_REGION(uint64_t, TABLES)[node->b];
    const uint64_t *entries = (const uint64_t *)(table + 1);
    for (uint32_t k = 0; k < table->count; k++) {
        if (entries[k] && !is_pointer(entries[k])) return 0;
        pointers |= entries[k] != 0;
    }
    return pointers;
}

/* If the sum has no constant base, but one addend that is a choice of pointers, that one is fixed to the pointer that it is in
   this run, and becomes part of the constant. */
static void fix_pointer(struct sum *sum, uint64_t address, uint32_t site) {
    uint32_t chosen = sum->count;
    if (is_pointer(sum->constant) || sum->count < 2) return;
    for (uint32_t k = 0; k < sum->count; k++) {
        if (!is_choice_of_pointers(sum->terms[k])) continue;
        if (chosen < sum->count) return;
        chosen = k;
    }
    if (chosen == sum->count) return;
    struct sum others = *sum;
    others.terms[chosen] = others.terms[--others.count];
    uint32_t rest = joined(&others);
    if (!rest) return;
    veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
    uint64_t pointer = address - veer_evaluate(rest);
    veer_pin(sum->terms[chosen], pointer, 64, site);
    others.constant += pointer;
    *sum = others;
}

/* Decides whether the access lies within `object`; returns whether it does. */
static int check_within(const struct veer_found *object, uint32_t offset, uint64_t address, uint64_t size, uint32_t site) {
    if (object->extent) return veer_extent_holds(object->extent, offset, address - object->base, size, site);
    if (object->input) veer_meet_bound(object->input->pointer->bound);
    if (size > object->capacity) return 0;
    uint64_t last = object->capacity - size;
    int holds = address - object->base <= last;
    veer_event(VEER_KIND_CHECK, make(VEER_OP_ULE, 1, offset, constant(last)), (uint32_t)holds, site);
    return holds;
}

/* The offset of the address in an object: the sum without the object's base. */
static uint32_t offset_in(const struct sum *sum, uint64_t base) {
    struct sum offset = *sum;
    offset.constant -= base;
    return joined(&offset);
}

/* A term as another one times a constant: term = part * scale modulo 2^64. */
static uint32_t unscaled(uint32_t term, uint64_t *scale) {
    const struct veer_node *node = &VEER_NODES[term];
    uint64_t low;
    *scale = 1;
    if (node->op == VEER_OP_ZEXT && VEER_NODES[node->a].op == VEER_OP_CONCAT) node = &VEER_NODES[node->a];
    if (node->op == VEER_OP_MUL && node->width == 64 && veer_is_constant(node->b, scale)) return node->a;
    *scale = 1;
    if (node->op != VEER_OP_CONCAT || !veer_is_constant(node->b, &low) || low != 0) return term;
    *scale = 1ull << VEER_NODES[node->b].width;
    return veer_expression(VEER_OP_ZEXT, 64, node->a, 0, 0);
}

/* Whether a term is an extension of so few bits that multiplied by a scale it does not wrap around. */
static int is_bounded(uint32_t term) {
    const struct veer_node *node = &VEER_NODES[term];
    return (node->op == VEER_OP_ZEXT || node->op == VEER_OP_SEXT) && VEER_NODES[node->a].width <= BOUNDED_BITS;
}

static uint64_t common_divisor(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* An upper bound of a term's value, as an unsigned number. */
static uint64_t greatest(uint32_t term) {
    const struct veer_node *node = &VEER_NODES[term];
    uint64_t most = mask_of(node->width), number;
    int is_fixed = veer_is_constant(node->b, &number);
    switch (node->op) {
    case VEER_OP_CONST: return node->value;
    case VEER_OP_ZEXT: return greatest(node->a);
    case VEER_OP_AND: return is_fixed ? number : most;
    case VEER_OP_UREM: return is_fixed && number ? number - 1 : most;
    case VEER_OP_UDIV: return is_fixed && number ? most / number : most;
    default: return most;
    }
}

/* stride * index + first == the offset, as integers: the addends are small, or the stride is a power of two, for which it is so
   modulo 2^(64 - bits). Returns the index, 0 = no room. */
static uint32_t index_of(const struct sum *offset, struct veer_cells *cells) {
    uint64_t scales[MAX_TERMS], stride = 0;
    uint32_t parts[MAX_TERMS];
    int is_exact = 1;
    for (uint32_t k = 0; k < offset->count; k++) {
        parts[k] = unscaled(offset->terms[k], &scales[k]);
        if (!parts[k]) return 0;
        is_exact &= is_bounded(parts[k]) && scales[k] < MAX_SCALE;
        stride = common_divisor(stride, scales[k]);
    }
    if (!is_exact) stride &= 0 - stride;
    if (stride == 0) return 0;
    uint32_t width = is_exact ? 64 : 64 - (uint32_t)__builtin_ctzll(stride);
    int64_t signed_constant = (int64_t)offset->constant, step = (int64_t)stride;
    int64_t first = is_exact ? (signed_constant % step + step) % step : (int64_t)(offset->constant & (stride - 1));
    uint64_t shift = (uint64_t)(is_exact ? (signed_constant - first) / step : (signed_constant - first) >> (64 - width));
    uint32_t index = veer_constant(width, shift & mask_of(width));
    for (uint32_t k = 0; k < offset->count; k++) {
        uint32_t part = make(VEER_OP_MUL, 64, parts[k], constant(scales[k] / stride));
        if (part && width < 64) part = veer_expression(VEER_OP_EXTRACT, width, part, 0, 0);
        index = make(VEER_OP_ADD, width, index, part);
    }
    cells->first = (uint64_t)first;
    cells->stride = stride;
    return index;
}

/* The cells of the object that an access within it may touch; 0 = none can be told. */
static int find_cells(const struct veer_found *object, const struct sum *sum, uint64_t size, struct veer_cells *cells) {
    struct sum offset = *sum;
    offset.constant -= object->base;
    uint32_t index = index_of(&offset, cells);
    if (!index || cells->first + size > object->capacity) return 0;
    uint64_t count = (object->capacity - size - cells->first) / cells->stride + 1;
    if (VEER_NODES[index].op == VEER_OP_ZEXT) index = VEER_NODES[index].a;
    if (VEER_NODES[index].op == VEER_OP_CONST) return 0;
    uint64_t most = greatest(index);
    if (most < count) count = most + 1;
    if (count > VEER_MAX_CELLS) return 0;
    cells->count = (uint32_t)count;
    cells->index = index;
    cells->size = (uint32_t)size;
    cells->first += object->base;
    cells->is_constant = strcmp(object->region, "constant") == 0;
    return 1;
}

/* Whether the cells of the object are the same in every run of the path: a string's or buffer's end is not. An object of symbolic
   size can be written: each cell that exists in this run says what it holds, if a GUARD finds that there are not too many. */
static int has_cells(const struct veer_found *object, int is_store, struct veer_cells *cells, uint32_t site) {
    if (!object->extent) return !object->input || !veer_varies(object->input);
    if (!is_store) return 0;
    uint64_t first = cells->first - object->base;
    const uint64_t bounds[] = {first + VEER_MAX_WRITTEN * cells->stride, 0};
    if (cells->count > VEER_MAX_WRITTEN && !veer_size_class(object->extent->term, object->size, bounds, site)) return 0;
    uint64_t there = (object->size - cells->size - first) / cells->stride + 1;
    if (there < cells->count) cells->count = (uint32_t)there;
    return 1;
}

/* Whether a term may have a pointer within it: a constant that could be an address, a pointer that is an input or is read from a
   table. One of more than `steps` nodes may. */
static int may_hold_pointer(uint32_t term, uint32_t *steps) {
    if (!*steps) return 1;
    --*steps;
    const struct veer_node *node = &VEER_NODES[term];
    if (node->op == VEER_OP_CONST) return is_pointer(node->value);
    if (node->op == VEER_OP_LEAF) return VEER_LEAVES[node->a].kind == VEER_LEAFKIND_CHOICE;
    if (node->op == VEER_OP_SLOT || node->op == VEER_OP_LOOKUP) return 1;
    const uint32_t operands[] = {node->a, node->b, node->c}, count = veer_operand_count(node->op);
    for (uint32_t k = 0; k < count; k++)
        if (!(k == 1 && has_number(node->op)) && may_hold_pointer(operands[k], steps)) return 1;
    return 0;
}

/* Whether an address starts from no pointer: from NULL and numbers that are inputs. */
static int is_number(const struct sum *sum) {
    uint32_t steps = MOST_STEPS;
    if (sum->constant + VEER_NULL_END >= 2 * VEER_NULL_END) return 0;
    for (uint32_t k = 0; k < sum->count; k++)
        if (may_hold_pointer(sum->terms[k], &steps)) return 0;
    return 1;
}

/* Whether two expressions depend on a leaf that is the same. */
static int have_one_leaf(uint32_t one, uint32_t other) {
    uint32_t single[2], count[2];
    const uint32_t *leaves[2];
    count[0] = veer_support_leaves(VEER_NODES[one].support, &leaves[0], &single[0]);
    count[1] = veer_support_leaves(VEER_NODES[other].support, &leaves[1], &single[1]);
    for (uint32_t i = 0, k = 0; i < count[0] && k < count[1];) { /* both in ascending order */
        if (leaves[0][i] == leaves[1][k]) return 1;
        if (leaves[0][i] < leaves[1][k]) i++;
        else k++;
    }
    return 0;
}

/* Whether the run has compared a number of the address with a pointer: if (handle == (uintptr_t)&thing) *(struct thing *)handle */
static int is_handle(const struct sum *sum) {
    for (uint32_t i = 0; i < VEER_CONTROL->trace_count; i++) {
        const struct veer_event *event = &VEER_TRACE[i];
        if (event->kind == VEER_KIND_CHOICE) continue;
        const struct veer_node *compared = &VEER_NODES[event->literal];
        uint32_t steps = MOST_STEPS;
        if (veer_operand_count(compared->op) < 2 || !(may_hold_pointer(compared->a, &steps) || may_hold_pointer(compared->b, &steps))) continue;
        for (uint32_t k = 0; k < sum->count; k++)
            if (have_one_leaf(event->literal, sum->terms[k])) return 1;
    }
    return 0;
}

/* Decides that an access at a symbolic address is within the object that it starts from (a CHECK, so that the search aims at
   the bug). Returns 1 and the cells that it may touch, if they can be told; else 0, and the address is fixed to the one that it is
   in this run. NULL and a number that is an input lead to no object, whatever the number is: no value of it is worth another run, and one
   that is the address of an object is so by chance, unless the path asked for that. */
int veer_locate(uint64_t address, uint32_t shadow, uint64_t size, int is_store, uint32_t site, struct veer_cells *cells) {
    struct sum sum;
    shadow = veer_settle(shadow, site);
    if (!veer_symbolic(shadow) || VEER_NODES[shadow].op == VEER_OP_CONST || veer_past_bound()) return 0;
    veer_verify(shadow, address);
    shadow = veer_written(shadow, site);
    if (!veer_symbolic(shadow) || VEER_NODES[shadow].op == VEER_OP_CONST) return 0;
    split(shadow, &sum);
    fix_pointer(&sum, address, site);
    uint64_t start = sum.constant;
    struct veer_found origin = {0}, around = {0};
    int is_low = address < VEER_LOW_END && address + size <= VEER_LOW_END;
    int in_object = is_low && veer_first_zero(address, size) == size;
    int addressable = in_object || ((is_low || address >= VEER_LOW_END) && veer_foreign(address));
    if (start >= VEER_NULL_END && start < VEER_LOW_END) origin = veer_find_object(start);
    if (origin.region && (start + 4096 < origin.base || start > origin.base + origin.capacity + 4096)) origin.region = NULL;
    if (!origin.region && is_number(&sum) && !(in_object && is_handle(&sum))) veer_wild(address, size, is_store, site);
    if (address < VEER_LOW_END) around = veer_find_object(address);
    int asked = 0, within = 0;
    if (origin.region && !(origin.chunk && origin.chunk->state == VEER_CHUNK_FREED)) {
        veer_level_access(origin.base, size < origin.capacity ? size : origin.capacity, is_store);
        asked = size <= origin.capacity;
        within = check_within(&origin, offset_in(&sum, origin.base), address, size, site);
        int starts_within = start >= origin.base && start <= origin.base + origin.capacity;
        if (asked && !within && starts_within) veer_left_object(&origin, address, size, is_store, site);
    }
    if (asked && within && find_cells(&origin, &sum, size, cells) && has_cells(&origin, is_store, cells, site)) {
        cells->here = (uint32_t)((address - cells->first) / cells->stride);
        return 1;
    }
    if (asked && !within && addressable && around.region && around.base != origin.base)
        check_within(&around, offset_in(&sum, around.base), address, size, site);
    if (!asked || within || addressable) veer_pin(shadow, address, 64, site);
    return 0;
}

/* Where a symbolic address starts from: the sum of its constant addends, or of those and a pointer that is chosen from a table, which is
   fixed. */
uint64_t veer_start(uint64_t address, uint32_t shadow, uint32_t site) {
    struct sum sum;
    split(shadow, &sum);
    if (sum.count == 1 && is_choice_of_pointers(sum.terms[0])) {
        veer_pin(sum.terms[0], address - sum.constant, 64, site);
        return address;
    }
    fix_pointer(&sum, address, site);
    return sum.constant;
}

/* The same for accesses that want one address. */
uint64_t veer_resolve(uint64_t address, uint32_t shadow, uint64_t size, int is_store, uint32_t site) {
    struct veer_cells cells;
    if (veer_locate(address, shadow, size, is_store, site, &cells)) veer_pin(shadow, address, 64, site);
    return address;
}
