/* The arguments behind `...`: a callee gets copies of its register save area and overflow area in the unit's own memory, where
   they have shadows; va_start points the list at them. The tables are made by instrument/variadic.py. */
#include "variadic.h"

#include <string.h>

#include "bounds.h"
#include "engine/leaves.h"
#include "input_leaves.h"
#include "memory_map.h"
#include "objects.h"
#include "roots.h"
#include "stack.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

enum place_kind { PLACE_VALUE, PLACE_COPY };

/* One entry of a table. */
struct place {
    uint32_t slot, offset, size, kind;
};

/* What a call of depth `depth` finds behind its `...`: where the pointer in `cell` leads. */
static struct {
    void *cell;
    uint32_t depth;
    uint32_t told; /* two bits of each argument that was read */
} rest;

void veer_rest(void *cell, long long *numbers, double *reals) {
    (void)numbers, (void)reals;
    rest.cell = cell;
    rest.told = 0;
    rest.depth = VEER_HOT->depth; /* that of this call, too */
}

static void set_words(uint64_t address, uint32_t size, uint32_t expression) {
    for (uint32_t k = 0; k < size; k++) veer_words(address)[k] = k << VEER_FRAGMENT_SHIFT | expression;
}

/* A struct passed by value: undecided pointers are decided, then its words are those of the original. */
static void copy_words(uint64_t to, uint64_t from, uint32_t size, uint32_t site) {
    if (from >= VEER_LOW_END || from + size > VEER_LOW_END || !veer_symbolic_range(from, size)) return;
    veer_decide_range(from, size, site);
    for (uint32_t k = 0; k < size; k++)
        if (veer_words(from)[k] >= VEER_FIRST_EXPRESSION) veer_words(to)[k] = veer_words(from)[k];
}

/* At the entry of a variadic function that its caller handed shadows to: memory for both areas, with the shadows of the arguments. */
uint64_t veer_variadic(const uint32_t *table, uint32_t site) {
    uint32_t shadows[VEER_MAX_ARGUMENTS], used = 0;
    uint64_t values[VEER_MAX_ARGUMENTS];
    if (!table) return 0;
    const struct place *places = (const struct place *)(table + 2);
    for (uint32_t k = 0; k < table[0]; k++)
        if (places[k].slot >= used) used = places[k].slot + 1;
    memcpy(shadows, VEER_HOT->arguments, used * sizeof *shadows); /* the alloca may call, in the end */
    memcpy(values, VEER_HOT->values, used * sizeof *values);
    uint64_t areas = veer_alloca(VEER_SAVE_AREA + table[1], 0, 16, site);
    veer_fill_words(areas, VEER_SAVE_AREA + table[1], VEER_SHADOW_CONCRETE); /* veer_va_start writes them */
    for (uint32_t k = 0; k < table[0]; k++) {
        const struct place *place = &places[k];
        uint64_t address = areas + place->offset;
        uint32_t shadow = shadows[place->slot];
        if (place->kind == PLACE_COPY) copy_words(address, values[place->slot], place->size, site);
        else if (!veer_symbolic(shadow) || VEER_NODES[shadow].op == VEER_OP_CONST) continue;
        else if (VEER_NODES[shadow].width == 8 * place->size) set_words(address, place->size, shadow);
        else veer_unsupported(site, VEER_LOSS_UNSUPPORTED);
    }
    return areas;
}

struct veer_list *veer_made_list(uint64_t address) {
    struct veer_list *list = (struct veer_list *)(uintptr_t)address;
    uint64_t end = address + sizeof *list - 1;
    if (end >= VEER_LOW_END || !veer_words(address)[0] || !veer_words(end)[0]) return NULL;
    return list->general_offset == VEER_GENERAL_END && list->vector_offset == VEER_SAVE_AREA && !list->saved ? list : NULL;
}

void veer_tell_argument(uint64_t number, uint32_t is_real) {
    if (!rest.cell || number >= VEER_MOST_REST || rest.told >> (2 * number + is_real) & 1) return;
    rest.told |= 1u << (2 * number + is_real);
    char name[] = "...0.real";
    name[3] = (char)('0' + number);
    if (!is_real) name[4] = 0;
    struct veer_root *root;
    struct veer_place told = veer_new_root(name, VEER_NONE, &root);
    uint32_t leaf = veer_intern_leaf(told.object, 0, 8, VEER_LEAFKIND_UNSIGNED, 0, 0);
    if (leaf == VEER_NONE) return;
    veer_leaf_input(leaf, 0);
    veer_record_leaf(leaf);
}

uint64_t veer_argument_number(const struct veer_list *list) {
    struct veer_found found = veer_find_object(list->overflow); /* none before the first argument: nobody has followed the pointer */
    return found.region ? (list->overflow - found.base) / sizeof(uint64_t) : 0;
}

void veer_rest_read(const void *place, uint32_t is_real) {
    const struct veer_list *list = veer_made_list((uint64_t)(uintptr_t)place);
    VEER_HOT->callee = 0;
    if (rest.cell && list) veer_tell_argument(veer_argument_number(list), is_real);
}

/* After the machine's own va_start. `areas`: what veer_variadic gave, 0 if all arguments are concrete. */
void veer_va_start(void *list_address, uint64_t areas, uint32_t site) {
    struct veer_list *list = list_address;
    uint64_t address = (uint64_t)(uintptr_t)list;
    veer_require(address, sizeof *list, 1, site);
    if (address < VEER_LOW_END && veer_words(address)[0] != 0) veer_fill_words(address, sizeof *list, VEER_SHADOW_CONCRETE);
    if (rest.cell && VEER_HOT->depth == rest.depth) {
        list->general_offset = VEER_GENERAL_END;
        list->vector_offset = VEER_SAVE_AREA;
        list->saved = 0;
        veer_memcpy(&list->overflow, rest.cell, sizeof list->overflow);
        return;
    }
    if (!areas) return;
    const struct veer_local_frame *frame = veer_local_before(areas);
    memcpy((void *)(uintptr_t)areas, (const void *)(uintptr_t)list->saved, VEER_SAVE_AREA);
    memcpy((void *)(uintptr_t)(areas + VEER_SAVE_AREA), (const void *)(uintptr_t)list->overflow, frame->single[1] - VEER_SAVE_AREA);
    list->saved = areas;
    list->overflow = areas + VEER_SAVE_AREA;
}
