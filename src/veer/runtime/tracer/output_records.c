/* Records of what a run leaves behind (wire: OUTPUT), each followed by its bytes. */
#include "output_records.h"

#include <string.h>

#include "uninitialised.h"
#include "veer_shared.h"

void veer_put_flags(uint8_t *to, uint64_t address, uint32_t size) {
    for (uint32_t k = 0; k < size; k++) to[k] = (uint8_t)veer_is_unwritten(address + k, 1);
}

void veer_append_output(uint32_t kind, uint32_t number, uint64_t address, uint32_t size, int flags) {
    struct veer_control *control = VEER_CONTROL;
    uint32_t all = flags == WITH_FLAGS ? 2 * size : size;
    struct veer_output head = {.kind = kind, .number = number, .address = address, .size = all};
    uint8_t *place = VEER_REGION(uint8_t, OUTPUTS) + control->output_length;
    if (control->output_length + sizeof head + all > VEER_OUTPUTS_CAPACITY) return;
    memcpy(place, &head, sizeof head);
    if (size) memcpy(place + sizeof head, (const void *)(uintptr_t)address, size);
    if (flags == WITH_FLAGS) veer_put_flags(place + sizeof head + size, address, size);
    control->output_length += (uint32_t)sizeof head + all;
}
