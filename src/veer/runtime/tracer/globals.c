/* The unit's globals: their objects, and their state at a run's start. Whole pages of the writable section are write-protected until
   a run first writes to them; from then on they are "hot" and copied back before every run. So a page costs one fault in the
   life of the process, and tables that are never written cost nothing. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "tracer.h"

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
struct veer_global *veer_global_before(uint64_t address) {
    struct veer_global *globals = TRACER->globals;
    uint32_t low = 0, high = TRACER->global_count;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if ((uint64_t)(uintptr_t)globals[middle].address <= address) low = middle + 1;
        else high = middle;
    }
    return low ? &globals[low - 1] : NULL;
}

/* Where the byte at `address` of the data section is kept. */
static void *saved(uint64_t address) {
    uint64_t first_page = TRACER->data_begin & ~(uint64_t)(VEER_PAGE - 1);
    return (void *)(uintptr_t)(VEER_SNAPSHOT_BASE + address - first_page);
}

/* The part of a page that belongs to the data section. */
static struct veer_range part_of_page(uint64_t page) {
    uint64_t begin = page < TRACER->data_begin ? TRACER->data_begin : page;
    uint64_t end_of = page + VEER_PAGE > TRACER->data_end ? TRACER->data_end : page + VEER_PAGE;
    return (struct veer_range){(uint32_t)begin, (uint32_t)end_of};
}

/* Saves a page as it is, and copies it back before each run from now on. */
static void heat(uint64_t page) {
    struct veer_tracer *tracer = TRACER;
    struct veer_range part = part_of_page(page);
    if (tracer->hot_page_count >= VEER_MAX_HOT_PAGES) {
        tracer->untrusted = 1; /* it cannot be restored: renew the process after this run */
        return;
    }
    memcpy(saved(part.begin), (void *)(uintptr_t)part.begin, part.end - part.begin);
    tracer->hot_pages[tracer->hot_page_count++] = (uint32_t)page;
}

/* A write fault at `address`: 1 if it was a protected page, which may be written to now. */
int veer_warm_page(uint64_t address) {
    uint64_t page = address & ~(uint64_t)(VEER_PAGE - 1);
    if (address < TRACER->cold_begin || address >= TRACER->cold_end) return 0;
    for (uint32_t k = 0; k < TRACER->hot_page_count; k++)
        if (TRACER->hot_pages[k] == page) return 0;
    heat(page);
    mprotect((void *)(uintptr_t)page, VEER_PAGE, PROT_READ | PROT_WRITE);
    return 1;
}

/* Lets uninstrumented code and the kernel write to a range (a system call gets EFAULT instead of a fault). */
void veer_warm_range(uint64_t address, uint64_t size) {
    if (size == 0 || address + size <= TRACER->cold_begin || address >= TRACER->cold_end) return;
    for (uint64_t page = address & ~(uint64_t)(VEER_PAGE - 1); page < address + size; page += VEER_PAGE) veer_warm_page(page);
}

/* Page bookkeeping: the parts of pages at both ends are hot from the start, whole pages in between are protected. */
static void protect_pages(void) {
    struct veer_tracer *tracer = TRACER;
    uint64_t begin = tracer->data_begin, stop = tracer->data_end, mask = VEER_PAGE - 1;
    if (begin >= stop) return;
    uint64_t size = ((stop - begin) & ~mask) + 3 * VEER_PAGE;
    mmap((void *)VEER_SNAPSHOT_BASE, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    tracer->cold_begin = (begin + mask) & ~mask;
    tracer->cold_end = stop & ~mask;
    if (tracer->cold_begin >= tracer->cold_end) tracer->cold_begin = tracer->cold_end = 0;
    uint64_t last = (stop - 1) & ~mask, first = begin & ~mask;
    if (first < tracer->cold_begin || tracer->cold_begin == 0) heat(first);
    if (last != first && (last >= tracer->cold_end || tracer->cold_begin == 0)) heat(last);
    if (tracer->cold_begin) mprotect((void *)(uintptr_t)tracer->cold_begin, tracer->cold_end - tracer->cold_begin, PROT_READ);
}

void veer_register_globals(void) {
    struct veer_tracer *tracer = TRACER;
    uint64_t count = (uint64_t)(__stop_veer_objects - __start_veer_objects), bytes = (count + 1) * sizeof(struct veer_global);
    tracer->image_begin = (uint64_t)(uintptr_t)__executable_start;
    tracer->image_end = (uint64_t)(uintptr_t)end;
    tracer->text_end = (uint64_t)(uintptr_t)etext;
    tracer->data_begin = (uint64_t)(uintptr_t)__start_veer_data;
    tracer->data_end = (uint64_t)(uintptr_t)__stop_veer_data;
    tracer->const_begin = (uint64_t)(uintptr_t)__start_veer_const;
    tracer->const_end = (uint64_t)(uintptr_t)__stop_veer_const;
    tracer->globals = mmap((void *)VEER_GLOBALS_BASE, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    if (count) memcpy(tracer->globals, __start_veer_objects, count * sizeof(struct veer_global));
    tracer->global_count = (uint32_t)count;
    qsort(tracer->globals, count, sizeof(struct veer_global), by_address);
    for (uint64_t k = 0; k < count; k++)
        veer_fill_words((uint64_t)(uintptr_t)tracer->globals[k].address, tracer->globals[k].size, VEER_SHADOW_CONCRETE);
    protect_pages();
}

/* Every word of a range of globals as it was at the start. */
static void restore_words(uint64_t begin, uint64_t stop) {
    for (uint64_t address = begin; address < stop; address++)
        if (veer_words(address)[0]) veer_words(address)[0] = VEER_SHADOW_CONCRETE;
}

/* Sets the globals and their shadow back to what they were before the first run. */
void veer_restore_globals(void) {
    struct veer_tracer *tracer = TRACER;
    for (uint32_t k = 0; k < tracer->hot_page_count; k++) {
        struct veer_range part = part_of_page(tracer->hot_pages[k]);
        memcpy((void *)(uintptr_t)part.begin, saved(part.begin), part.end - part.begin);
    }
    if (tracer->dirty_overflow) restore_words(tracer->data_begin, tracer->data_end);
    for (uint32_t k = 0; k < tracer->dirty_count; k++) restore_words(tracer->dirty[k].begin, tracer->dirty[k].end);
    tracer->dirty_count = 0;
    tracer->dirty_overflow = 0;
}
