/* Which stubs a recorded run calls, in their order, and what it gives them: tests expect the same (decision 0386). Calls before the entry
   are none of the test's: the records begin anew with it. */
#include "found.h"
#include "left_over.h"
#include "memory_map.h"
#include "objects.h"
#include "output_records.h"
#include "outputs.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "versions.h"

/* How many bytes lie in one object from there on. */
static uint64_t room_at(uint64_t address) {
    if (address < VEER_NULL_END || address >= VEER_LOW_END) return 0;
    struct veer_found found = veer_find_object(address);
    return !found.region || veer_distance(address, found.base, found.size) ? 0 : found.base + found.size - address;
}

static void append_behind(uint32_t number, const struct veer_argument *argument) {
    uint64_t pointer = *(const uint64_t *)argument->place, room = room_at(pointer);
    uint32_t most = argument->most & ~VEER_IS_TEXT, size = room < most ? (uint32_t)room : most;
    if (size) veer_append_output(VEER_OUTPUTKIND_BEHIND, number, pointer, size, WITH_FLAGS);
}

void veer_stub_called(uint32_t stub, const struct veer_argument *arguments, uint32_t count) {
    VEER_HOT->callee = 0;
    if (VEER_CONTROL->is_compared) veer_keep_call(stub, arguments, count);
    if (!VEER_CONTROL->record || VERSIONS->is_second || LEFT->stub_calls == VEER_MOST_CALLS_COUNTED) return;
    veer_append_output(VEER_OUTPUTKIND_CALL, stub, 0, 0, WITHOUT_FLAGS);
    if (LEFT->stub_calls++ >= VEER_MOST_CALLS_SEEN) return;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t place = (uint64_t)(uintptr_t)arguments[k].place;
        veer_append_output(VEER_OUTPUTKIND_ARGUMENT, k, place, arguments[k].size, WITH_FLAGS);
        if (arguments[k].most) append_behind(k, &arguments[k]);
    }
}
