/* The unit's globals: their objects, and their state at a run's start. Whole pages of the writable section are write-protected until
   a run first writes to them; from then on they are "hot" and copied back before every run. So a page costs one fault in the
   life of the process, and tables that are never written cost nothing. */
#include "globals.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "engine/arena.h"
#include "engine/executes.h"
#include "image.h"
#include "kernel.h"
#include "process.h"
#include "programbreak.h"
#include "words.h"

extern const struct veer_global __start_veer_objects[] __attribute__((weak));
extern const struct veer_global __stop_veer_objects[] __attribute__((weak));
extern char __start_veer_data[] __attribute__((weak));
extern char __stop_veer_data[] __attribute__((weak));
extern char __start_veer_const[] __attribute__((weak));
extern char __stop_veer_const[] __attribute__((weak));
extern char __executable_start[], etext[], end[];

static int by_address(const void *a, const void *b) {
    uintptr_t x = (uintptr_t)((const struct veer_global *)a)->address, y = (uintptr_t)((const struct veer_global *)b)->address;
    return x < y ? -1 : x > y;
}

/* The global with the greatest address that is not behind `address`. */
static struct veer_global *global_before(uint64_t address) {
    struct veer_global *globals = GLOBALS->of;
    uint32_t low = 0, high = GLOBALS->count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if ((uint64_t)(uintptr_t)globals[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low ? &globals[low - 1] : NULL;
}

/* Where the byte at `address` of the data section is kept. */
static void *saved(uint64_t address) {
    uint64_t first_page = IMAGE->data_begin & ~(uint64_t)(VEER_PAGE - 1);
    return (void *)(uintptr_t)(VEER_SNAPSHOT_BASE + address - first_page);
}

/* The part of a page that belongs to the data section. */
static struct veer_range part_of_page(uint64_t page) {
    uint64_t begin = page < IMAGE->data_begin ? IMAGE->data_begin : page;
    uint64_t end_of = page + VEER_PAGE > IMAGE->data_end ? IMAGE->data_end : page + VEER_PAGE;
    return (struct veer_range){(uint32_t)begin, (uint32_t)end_of};
}

/* Saves a page as it is, and copies it back before each run from now on. */
static void heat(uint64_t page) {
    struct veer_range part = part_of_page(page);
    if (GLOBALS->hot_page_count >= VEER_MAX_HOT_PAGES) {
        PROCESS->untrusted = 1; /* it cannot be restored: renew the process after this run */
        return;
    }
    memcpy(saved(part.begin), (void *)(uintptr_t)part.begin, part.end - part.begin);
    GLOBALS->hot_pages[GLOBALS->hot_page_count++] = (uint32_t)page;
}

/* A write fault at `address`: 1 if it was a protected page, which may be written to now. */
int veer_warm_page(uint64_t address) {
    uint64_t page = address & ~(uint64_t)(VEER_PAGE - 1);
    if (address < GLOBALS->cold_begin || address >= GLOBALS->cold_end) return 0;
    for (uint32_t k = 0; k < GLOBALS->hot_page_count; k++)
        if (GLOBALS->hot_pages[k] == page) return 0;
    heat(page);
    VEER_KERNEL(SYS_mprotect, page, VEER_PAGE, PROT_READ | PROT_WRITE, 0, 0, 0);
    return 1;
}

/* Lets uninstrumented code and the kernel write to a range (a system call gets EFAULT instead of a fault). */
void veer_warm_range(uint64_t address, uint64_t size) {
    if (size == 0 || address + size <= GLOBALS->cold_begin || address >= GLOBALS->cold_end) return;
    for (uint64_t page = address & ~(uint64_t)(VEER_PAGE - 1); page < address + size; page += VEER_PAGE) veer_warm_page(page);
}

/* Page bookkeeping: the parts of pages at both ends are hot from the start, whole pages in between are protected. */
static void protect_pages(void) {
    uint64_t begin = IMAGE->data_begin, stop = IMAGE->data_end, mask = VEER_PAGE - 1;
    if (begin >= stop) return;
    uint64_t size = ((stop - begin) & ~mask) + 3 * VEER_PAGE;
    mmap((void *)VEER_SNAPSHOT_BASE, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    GLOBALS->cold_begin = (begin + mask) & ~mask;
    GLOBALS->cold_end = stop & ~mask;
    if (GLOBALS->cold_begin >= GLOBALS->cold_end) GLOBALS->cold_begin = GLOBALS->cold_end = 0;
    uint64_t last = (stop - 1) & ~mask, first = begin & ~mask;
    if (first < GLOBALS->cold_begin || GLOBALS->cold_begin == 0) heat(first);
    if (last != first && (last >= GLOBALS->cold_end || GLOBALS->cold_begin == 0)) heat(last);
    if (GLOBALS->cold_begin) mprotect((void *)(uintptr_t)GLOBALS->cold_begin, GLOBALS->cold_end - GLOBALS->cold_begin, PROT_READ);
}

void veer_register_globals(void) {
    uint64_t count = (uint64_t)(__stop_veer_objects - __start_veer_objects), bytes = (count + 1) * sizeof(struct veer_global);
    IMAGE->begin = (uint64_t)(uintptr_t)__executable_start;
    IMAGE->end = (uint64_t)(uintptr_t)end;
    IMAGE->text_end = (uint64_t)(uintptr_t)etext;
    IMAGE->break_begin = veer_program_break_begin();
    IMAGE->data_begin = (uint64_t)(uintptr_t)__start_veer_data;
    IMAGE->data_end = (uint64_t)(uintptr_t)__stop_veer_data;
    IMAGE->const_begin = (uint64_t)(uintptr_t)__start_veer_const;
    IMAGE->const_end = (uint64_t)(uintptr_t)__stop_veer_const;
    GLOBALS->of = mmap((void *)VEER_GLOBALS_BASE, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (count) memcpy(GLOBALS->of, __start_veer_objects, count * sizeof(struct veer_global));
    GLOBALS->count = (uint32_t)count;
    qsort(GLOBALS->of, count, sizeof(struct veer_global), by_address);
    for (uint64_t k = 0; k < count; k++)
        veer_fill_words((uint64_t)(uintptr_t)GLOBALS->of[k].address, GLOBALS->of[k].size, VEER_SHADOW_CONCRETE);
    protect_pages();
}

/* Every word of a range of globals as it was at the start. */
static void restore_words(uint64_t begin, uint64_t stop) {
    for (uint64_t address = begin; address < stop; address++)
        if (veer_words(address)[0]) veer_words(address)[0] = VEER_SHADOW_CONCRETE;
}

/* Sets the globals and their shadow back to what they were before the first run. */
void veer_restore_globals(void) {
    for (uint32_t k = 0; k < GLOBALS->hot_page_count; k++) {
        struct veer_range part = part_of_page(GLOBALS->hot_pages[k]);
        memcpy((void *)(uintptr_t)part.begin, saved(part.begin), part.end - part.begin);
    }
    if (GLOBALS->dirty_overflow) restore_words(IMAGE->data_begin, IMAGE->data_end);
    for (uint32_t k = 0; k < GLOBALS->dirty_count; k++) restore_words(GLOBALS->dirty[k].begin, GLOBALS->dirty[k].end);
    GLOBALS->dirty_count = 0;
    GLOBALS->dirty_overflow = 0;
}

const void *veer_constant_object(uint32_t k, uint64_t *size) {
    if (k >= GLOBALS->count) return NULL;
    *size = GLOBALS->of[k].writable ? 0 : GLOBALS->of[k].size;
    return GLOBALS->of[k].address;
}

int veer_is_constant_data(uint64_t address, uint64_t size) {
    return address < IMAGE->const_end && address + size > IMAGE->const_begin && size;
}

void veer_guard_constants(void) {
    for (uint64_t address = IMAGE->const_begin; address < IMAGE->const_end; address++) {
        uint32_t *word = veer_words(address), byte = *word ? veer_constant(8, *(const uint8_t *)(uintptr_t)address) : 0;
        if (byte) *word = byte;
    }
    GLOBALS->is_guarded = 1;
}

void veer_release_constants(void) {
    restore_words(IMAGE->const_begin, IMAGE->const_end);
    GLOBALS->is_guarded = 0;
}

static struct veer_found from_global(const struct veer_global *global) {
    return (struct veer_found){.base = (uint64_t)(uintptr_t)global->address, .size = global->size, .capacity = global->size,
                               .region = global->writable ? "global" : "constant", .name = global->name};
}

struct veer_found veer_find_global(uint64_t address) {
    struct veer_found none = {0};
    const struct veer_global *global = global_before(address), *end = GLOBALS->of + GLOBALS->count;
    const struct veer_global *next = global ? global + 1 : GLOBALS->of;
    if (next >= end) next = NULL;
    if (!global && !next) return none;
    if (!global) return from_global(next);
    if (!next || veer_distance(address, (uint64_t)(uintptr_t)global->address, global->size) <=
                     veer_distance(address, (uint64_t)(uintptr_t)next->address, next->size))
        return from_global(global);
    return from_global(next);
}

/* Remembers that words of globals differ from what they are at a run's start. */
void veer_note_dirty(uint64_t address, uint64_t size) {
    if (address < IMAGE->data_begin || address >= IMAGE->data_end || size == 0) return;
    struct veer_range *last = GLOBALS->dirty_count ? &GLOBALS->dirty[GLOBALS->dirty_count - 1] : NULL;
    if (last && address >= last->begin && address <= last->end) {
        if (address + size > last->end) last->end = (uint32_t)(address + size);
    } else if (GLOBALS->dirty_count < VEER_MAX_DIRTY) {
        GLOBALS->dirty[GLOBALS->dirty_count++] = (struct veer_range){(uint32_t)address, (uint32_t)(address + size)};
    } else {
        GLOBALS->dirty_overflow = 1;
    }
}
