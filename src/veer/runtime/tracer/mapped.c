/* Memory at addresses of the program's machine: mapped when a run first asks for it, and as it was given at the start of each run. */
#include "mapped.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include "chunks.h"
#include "kernel.h"
#include "memory_map.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "words.h"

enum { BELOW = 1 << 20 }; /* bytes below a stack in which an access is one of a deeper stack */

#define PAGES(address) ((address) & ~(uint64_t)(VEER_PAGE - 1))

static struct veer_mapped_segment *known(uint64_t address) {
    for (uint32_t k = 0; k < MAPPED->count; k++)
        if (MAPPED->of[k].address == address) return &MAPPED->of[k];
    return NULL;
}

static void set_protection(uint64_t begin, uint64_t end, int protection) {
    VEER_KERNEL(SYS_mprotect, begin, end - begin, protection, 0, 0, 0);
}

static int has_writable(uint64_t page) {
    for (uint32_t k = 0; k < MAPPED->count; k++) {
        const struct veer_mapped_segment *each = &MAPPED->of[k];
        if (each->writable && each->address < page + VEER_PAGE && page < each->address + each->size) return 1;
    }
    return 0;
}

/* A page stays writable where a part of it is; the shadow words tell what lies within it. */
static void protect(const struct veer_mapped_segment *segment) {
    for (uint64_t page = PAGES(segment->address); page < segment->address + segment->size; page += VEER_PAGE)
        set_protection(page, page + VEER_PAGE, has_writable(page) ? PROT_READ | PROT_WRITE : PROT_READ);
}

/* Pages that another segment has already stay as they are. */
static void map_pages(uint64_t begin, uint64_t end) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE;
    for (uint64_t page = PAGES(begin); page < end; page += VEER_PAGE)
        VEER_KERNEL(SYS_mmap, page, VEER_PAGE, PROT_READ | PROT_WRITE, flags, -1, 0);
}

static struct veer_mapped_segment *new_segment(uint64_t address, uint64_t size, uint32_t qualities, const char *name) {
    if (MAPPED->count == VEER_MAX_MAPPED || address < VEER_NULL_END || address + size > VEER_HEAP_BEGIN)
        veer_refuse("memory of the machine where veer has no room for it");
    if (!(qualities & VEER_MAP_NAMES)) map_pages(address, address + size);
    struct veer_mapped_segment *segment = &MAPPED->of[MAPPED->count++];
    *segment = (struct veer_mapped_segment){.address = address, .size = size, .name = name};
    segment->writable = qualities & VEER_MAP_WRITABLE;
    segment->is_code = qualities & VEER_MAP_CODE;
    segment->has_no_memory = qualities & VEER_MAP_NAMES;
    segment->is_stack = qualities & VEER_MAP_STACK;
    return segment;
}

/* `given` bytes of contents, zeros behind them. */
void veer_map(uint64_t address, uint64_t size, const void *contents, uint64_t given, uint32_t qualities, const char *name) {
    struct veer_mapped_segment *segment = known(address);
    int writable = qualities & VEER_MAP_WRITABLE;
    VEER_HOT->callee = 0;
    int is_new = !segment;
    if (is_new) segment = new_segment(address, size, qualities, name);
    if (segment->has_no_memory) return;
    if (is_new) set_protection(PAGES(address), PAGES(address + size + VEER_PAGE - 1), PROT_READ | PROT_WRITE);
    if (is_new || writable) {
        memcpy((void *)(uintptr_t)address, contents, given);
        memset((void *)(uintptr_t)(address + given), 0, size - given);
    }
    if (is_new) protect(segment);
    veer_fill_words(address, size, VEER_SHADOW_CONCRETE);
}

/* The segment around the address, or the nearest one; region NULL when there is none. */
struct veer_found veer_find_mapped(uint64_t address) {
    struct veer_found found = {0};
    uint64_t nearest = ~0ull;
    for (uint32_t k = 0; k < MAPPED->count; k++) {
        const struct veer_mapped_segment *each = &MAPPED->of[k];
        uint64_t away = veer_distance(address, each->address, each->size);
        if (away >= nearest || each->has_no_memory) continue;
        nearest = away;
        found = (struct veer_found){.base = each->address, .size = each->size, .capacity = each->size,
                                    .region = each->writable ? "global" : "constant", .name = each->name};
    }
    return found;
}

/* Whether instructions may lie there. */
int veer_is_mapped_code(uint64_t address) {
    for (uint32_t k = 0; k < MAPPED->count; k++) {
        const struct veer_mapped_segment *each = &MAPPED->of[k];
        if (each->is_code && address - each->address < each->size) return 1;
    }
    return 0;
}

/* Where the entry returns to: no code is there, and nothing is wrong about it. */
int veer_is_behind_stack(uint64_t address) {
    for (uint32_t k = 0; k < MAPPED->count; k++) {
        const struct veer_mapped_segment *each = &MAPPED->of[k];
        if (each->is_stack && address == each->address + each->size + VEER_PAGE) return 1;
    }
    return 0;
}

/* Ends a run that needs more stack than the machine has here: how much there is in truth nobody says, so that it is no bug. */
void veer_require_stack(uint64_t address) {
    for (uint32_t k = 0; k < MAPPED->count; k++) {
        const struct veer_mapped_segment *each = &MAPPED->of[k];
        if (each->is_stack && address < each->address && address >= VEER_NULL_END && each->address - address <= BELOW)
            veer_refuse("a stack deeper than the one that veer gives to machine code");
    }
}
