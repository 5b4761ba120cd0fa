/* What stubs write: memory that they are given and that nobody has written (decision 0380). A function that is defined nowhere, and is given
   a buffer that nobody has written, is there to fill it. What was written before stays as it is. */
#include "stub_names.h"

#include "found.h"
#include "memory_map.h"
#include "objects.h"
#include "run.h"
#include "uninitialised.h"
#include "veer_harness.h"
#include "veer_runtime.h"

enum { MOST_WRITTEN = 256, MOST_BYTES = 4096 };

/* Names of this run's inputs: they are looked up until it ends. */
struct veer_stub_names {
    uint64_t epoch;
    uint32_t count;
    char of[MOST_WRITTEN][VEER_STUB_NAME_ROOM];
};
VEER_STATE_FITS(stub_names);
#define NAMES VEER_STATE(stub_names)

/* The first bytes from an address to the end of its object that nobody has written: how many lie side by side, and where. */
static uint64_t unwritten_from(uint64_t address, uint64_t *offset) {
    if (address < VEER_NULL_END || address >= VEER_LOW_END) return 0;
    struct veer_found found = veer_find_object(address);
    if (!found.region || veer_distance(address, found.base, found.size)) return 0;
    uint64_t room = found.base + found.size - address, first = 0, size = 0;
    while (first < room && !veer_is_unwritten(address + first, 1)) first++;
    while (size < MOST_BYTES && first + size < room && veer_is_unwritten(address + first + size, 1)) size++;
    *offset = first;
    return size;
}

void veer_stub_writes(void *place, uint32_t element, const struct veer_type *type, const char *stub, uint32_t argument, uint32_t call) {
    uint64_t offset = 0;
    VEER_HOT->callee = 0;
    uint64_t size = unwritten_from((uint64_t)(uintptr_t)place, &offset);
    if (NAMES->epoch != RUN->epoch) NAMES->epoch = RUN->epoch, NAMES->count = 0;
    int is_whole = type && !offset && (element ? size == type->size : size >= type->size);
    if (!size || NAMES->count == MOST_WRITTEN || (!is_whole && !element)) return;
    char *name = NAMES->of[NAMES->count], *end = veer_stub_name(name, stub, call, argument);
    if (!end) return;
    NAMES->count++;
    if (offset) veer_put_number(end, "+", offset);
    if (is_whole) veer_make(place, type, name);
    else veer_make_symbolic((char *)place + offset, size, name, element);
}
