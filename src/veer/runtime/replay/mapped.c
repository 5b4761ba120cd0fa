/* Memory at addresses of the program's machine, in a replay; and what a lifted function does that has no meaning. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "replay.h"

enum { PAGE = 4096 };

void veer_map(uint64_t address, uint64_t size, const void *contents, uint64_t given, uint32_t qualities, const char *name) {
    uint64_t begin = address & ~(uint64_t)(PAGE - 1);
    (void)name;
    if (qualities & VEER_MAP_NAMES) return; /* nothing else tells: another segment may lie in the same page */
    for (uint64_t page = begin; page < address + size; page += PAGE)
        mmap((void *)(uintptr_t)page, PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    memcpy((void *)(uintptr_t)address, contents, given);
}

_Noreturn void veer_refuse(const char *what) {
    fprintf(stderr, "%s\n", what);
    abort();
}

_Noreturn void veer_unknown_target(uint64_t at, uint64_t target, uint64_t mark) {
    fprintf(stderr, "the instruction at %#llx goes to %#llx\n", (unsigned long long)at, (unsigned long long)(target & ~mark));
    abort();
}

/* A replay has no heap of its own at a fixed place. */
void veer_heap_from(uint64_t address) { (void)address; }

uint64_t veer_machine_register(const void *place) {
    uint64_t address = (uint64_t)(uintptr_t)place;
    if (address >> 31 == UINT64_MAX >> 31) address = (uint32_t)address; /* one of 32 bits, widened by its sign */
    return veer_device_at((const void *)(uintptr_t)address, 0);
}

/* The campaign has looked. */
void veer_check_return(uint64_t at, uint64_t target, uint64_t back) {
    (void)at;
    (void)target;
    (void)back;
}
