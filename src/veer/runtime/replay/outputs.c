/* What a replayed run returned and left behind, in the form of the campaign's own records. */
#include <string.h>

#include "replay.h"
#include "veer_wire.h"

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

static void append(uint32_t kind, uint32_t number, const void *address, uint32_t size) {
    struct veer_replay_record *record = veer_replay_record;
    struct veer_output head = {.kind = kind, .number = number, .address = (uint64_t)(uintptr_t)address, .size = size};
    uint8_t *place = record->outputs + record->output_length;
    if (record->output_length + sizeof head + size > REPLAY_OUTPUTS) return;
    memcpy(place, &head, sizeof head);
    memcpy(place + sizeof head, address, size);
    record->output_length += (uint32_t)sizeof head + size;
}

void veer_outputs(const struct veer_variable *variables, uint32_t count, uint32_t when) {
    if (when == VEER_OUTPUTKIND_BEFORE) {
        veer_replay_restore_counters();
        return;
    }
    for (uint32_t k = 0; k < count; k++) append(VEER_OUTPUTKIND_AFTER, k, variables[k].address, variables[k].size);
    for (uint32_t number = 1; number <= veer_replay_data->object_count; number++) {
        const struct veer_replay_object *object = veer_replay_object(number);
        append(VEER_OUTPUTKIND_OBJECT, number, veer_replay_address(number), object->is_recorded ? object->size : 0);
    }
}
