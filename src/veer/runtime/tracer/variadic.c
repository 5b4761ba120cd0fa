/* The arguments behind `...`: a callee gets copies of its register save area and overflow area in the unit's own memory, where
   they have shadows; va_start points the list at them. The tables are made by instrument/variadic.py. */
#include <string.h>

#include "bounds.h"
#include "memory_map.h"
#include "stack.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

#define SAVE_AREA 176u
enum place_kind { PLACE_VALUE, PLACE_COPY };

/* One entry of a table. */
struct place {
    uint32_t slot, offset, size, kind;
};

/* va_list's only element on x86-64 (System V ABI, figure 3.34). */
struct list {
    uint32_t general_offset, vector_offset;
    uint64_t overflow, saved;
};

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
    uint64_t areas = veer_alloca(SAVE_AREA + table[1], 0, 16, site);
    veer_fill_words(areas, SAVE_AREA + table[1], VEER_SHADOW_CONCRETE); /* veer_va_start writes them */
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

/* After the machine's own va_start. `areas`: what veer_variadic gave, 0 if all arguments are concrete. */
void veer_va_start(void *list_address, uint64_t areas, uint32_t site) {
    struct list *list = list_address;
    uint64_t address = (uint64_t)(uintptr_t)list;
    veer_require(address, sizeof *list, 1, site);
    if (address < VEER_LOW_END && veer_words(address)[0] != 0) veer_fill_words(address, sizeof *list, VEER_SHADOW_CONCRETE);
    if (!areas) return;
    const struct veer_local_frame *frame = veer_local_before(areas);
    memcpy((void *)(uintptr_t)areas, (const void *)(uintptr_t)list->saved, SAVE_AREA);
    memcpy((void *)(uintptr_t)(areas + SAVE_AREA), (const void *)(uintptr_t)list->overflow, frame->single[1] - SAVE_AREA);
    list->saved = areas;
    list->overflow = areas + SAVE_AREA;
}
