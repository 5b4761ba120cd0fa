/* What a replayed run returned and left behind, in the form of the campaign's own records. */
#include <string.h>
#include <sys/mman.h>

#include "replay.h"
#include "veer_wire.h"

enum { PAGE = 4096 };

void veer_replay_append(const void *bytes, uint32_t size) {
    struct veer_replay_record *record = veer_replay_record;
    if (record->result_length + size > REPLAY_RESULT) return;
    memcpy(record->result + record->result_length, bytes, size);
    record->result_length += size;
}

void veer_result(const void *value, uint32_t size, uint32_t type) {
    (void)type;
    veer_replay_append(value, size);
}

void veer_returned(const void *value, uint32_t size, uint32_t is_scalar) { (void)value, (void)size, (void)is_scalar; }

static uint32_t stub_calls; /* since the entry was called */

void veer_replay_output(uint32_t kind, uint32_t number, const void *address, uint32_t size) {
    struct veer_replay_record *record = veer_replay_record;
    struct veer_output head = {.kind = kind, .number = number, .address = (uint64_t)(uintptr_t)address, .size = size};
    uint8_t *place = record->outputs + record->output_length;
    if (record->output_length + sizeof head + size > REPLAY_OUTPUTS) return;
    memcpy(place, &head, sizeof head);
    if (size) memcpy(place + sizeof head, address, size);
    record->output_length += (uint32_t)sizeof head + size;
}

/* Forgets all but the events of specifications: what the calls before the entry's led to. */
static void begin(void) {
    struct veer_replay_record *record = veer_replay_record;
    uint32_t kept = 0, size;
    for (uint32_t at = 0; at < record->output_length; at += size) {
        struct veer_output head;
        memcpy(&head, record->outputs + at, sizeof head);
        size = (uint32_t)sizeof head + head.size;
        if (head.kind != VEER_OUTPUTKIND_EVENT) continue;
        memmove(record->outputs + kept, record->outputs + at, size);
        kept += size;
    }
    record->output_length = kept;
    stub_calls = 0;
}

static uint64_t made_at[VEER_MOST_MADE]; /* where the blocks lie that were found; 0: one was not */

/* Where a pointer leads that the run left; 0: there is none. */
static uint64_t pointer_in(const struct veer_replay_made *made, const struct veer_variable *variables, uint32_t count) {
    uint64_t place = 0, pointer = 0;
    uint32_t index = made->number - 1;
    if (made->owner == REPLAY_POOL_HAS) return veer_replay_pool_object(made->number >> 16, made->number & 0xffff);
    if (made->owner == REPLAY_RESULT_OWNS) place = (uint64_t)(uintptr_t)veer_replay_record->result;
    else if (made->owner == REPLAY_OBJECT_OWNS && !veer_replay_is_freed(made->number)) place = (uint64_t)(uintptr_t)veer_replay_address(made->number);
    else if (made->owner == REPLAY_VARIABLE_OWNS && made->number < count) place = (uint64_t)(uintptr_t)variables[made->number].address;
    else if (made->owner == REPLAY_MADE_OWNS && index < VEER_MOST_MADE) place = made_at[index];
    if (place && veer_replay_readable(place + made->offset, sizeof pointer) == sizeof pointer)
        memcpy(&pointer, (const void *)(uintptr_t)(place + made->offset), sizeof pointer);
    return pointer;
}

/* The blocks that the recorded run made, where this run has them. */
static void tell_made(const struct veer_variable *variables, uint32_t count) {
    for (uint32_t k = 0; k < veer_replay_data->made_count && k < VEER_MOST_MADE; k++) {
        const struct veer_replay_made *made = veer_replay_made(k);
        uint64_t address = pointer_in(made, variables, count) - made->behind;
        made_at[k] = 0;
        if (address < PAGE || address + made->behind < made->behind || veer_replay_readable(address, made->size) < made->size) continue;
        made_at[k] = address;
        veer_replay_output(VEER_OUTPUTKIND_MADE, k + 1, (const void *)(uintptr_t)address, made->size);
    }
}

void veer_outputs(const struct veer_variable *variables, uint32_t count, uint32_t when) {
    if (when == VEER_OUTPUTKIND_BEFORE) {
        veer_replay_restore_counters();
        begin();
        return;
    }
    for (uint32_t k = 0; k < count; k++) veer_replay_output(VEER_OUTPUTKIND_AFTER, k, variables[k].address, variables[k].size);
    for (uint32_t number = 1; number <= veer_replay_data->object_count; number++) {
        const struct veer_replay_object *object = veer_replay_object(number);
        const void *address = veer_replay_address(number);
        int is_there = object->is_recorded && !veer_replay_is_freed(number);
        veer_replay_output(VEER_OUTPUTKIND_OBJECT, number, address, is_there ? object->size : 0);
        if (veer_replay_is_freed(number)) veer_replay_output(VEER_OUTPUTKIND_FREED, number, address, 0);
        veer_replay_witness(VEER_PART_OBJECT, number, veer_replay_address(number));
    }
    veer_replay_tell_pools();
    tell_made(variables, count);
}

void veer_replay_event(uint32_t event, const long *told, uint32_t count) {
    veer_replay_output(VEER_OUTPUTKIND_EVENT, event, told, count * (uint32_t)sizeof *told);
}

/* Whether there is memory on that page. */
static int is_mapped(uint64_t page) {
    unsigned char is_resident;
    return mincore((void *)(uintptr_t)page, PAGE, &is_resident) == 0;
}

/* How many bytes can be read there, `most` at most: no build without checks knows where objects end. */
uint32_t veer_replay_readable(uint64_t address, uint32_t most) {
    uint64_t page = address & -(uint64_t)PAGE;
    uint64_t there = 0;
    while (there < most && is_mapped(page)) page += PAGE, there = page - address;
    return there < most ? (uint32_t)there : most;
}

void veer_stub_called(uint32_t stub, const struct veer_argument *arguments, uint32_t count) {
    if (stub_calls == VEER_MOST_CALLS_COUNTED) return;
    veer_replay_output(VEER_OUTPUTKIND_CALL, stub, NULL, 0);
    if (stub_calls++ >= VEER_MOST_CALLS_SEEN) return;
    for (uint32_t k = 0; k < count; k++) {
        uint64_t pointer = 0;
        veer_replay_output(VEER_OUTPUTKIND_ARGUMENT, k, arguments[k].place, arguments[k].size);
        if (!arguments[k].most) continue;
        memcpy(&pointer, arguments[k].place, sizeof pointer);
        uint32_t size = veer_replay_readable(pointer, arguments[k].most & ~VEER_IS_TEXT);
        if (size) veer_replay_output(VEER_OUTPUTKIND_BEHIND, k, (const void *)(uintptr_t)pointer, size);
    }
}
