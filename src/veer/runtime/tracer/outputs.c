/* What a run left behind, for the expectations of tests: globals before and after the call, and the memory of its inputs. */
#include "outputs.h"

#include <string.h>

#include "chunks.h"
#include "ends.h"
#include "engine/arena.h"
#include "gather.h"
#include "input_objects.h"
#include "leaf_state.h"
#include "made.h"
#include "output_records.h"
#include "run.h"
#include "sites.h"
#include "uninitialised.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "versions.h"
#include "words.h"

/* Appends a byte for each byte of the memory there, whether it was never written. `number`: of a record; NONE for what the entry
   returns. */
static void append_unwritten(uint32_t number, uint64_t address, uint32_t size) {
    struct veer_control *control = VEER_CONTROL;
    struct veer_output head = {.kind = VEER_OUTPUTKIND_UNWRITTEN, .number = number, .address = address, .size = size};
    uint8_t *place = VEER_REGION(uint8_t, OUTPUTS) + control->output_length;
    if (control->output_length + sizeof head + size > VEER_OUTPUTS_CAPACITY) return;
    memcpy(place, &head, sizeof head);
    veer_put_flags(place + sizeof head, address, size);
    control->output_length += (uint32_t)sizeof head + size;
}

/* A record of the memory there, and which of its bytes nobody wrote. */
static void append(uint32_t kind, uint32_t number, uint64_t address, uint32_t size) {
    veer_append_output(kind, number, address, size, WITHOUT_FLAGS);
    if (kind != VEER_OUTPUTKIND_BEFORE && veer_is_unwritten(address, size)) append_unwritten(number, address, size);
}

/* Forgets all but the events of specifications: what the calls before the entry's led to. */
static void begin(void) {
    uint8_t *records = VEER_REGION(uint8_t, OUTPUTS);
    uint32_t kept = 0, size;
    for (uint32_t at = 0; at < VEER_CONTROL->output_length; at += size) {
        struct veer_output head;
        memcpy(&head, records + at, sizeof head);
        size = (uint32_t)sizeof head + head.size;
        if (head.kind != VEER_OUTPUTKIND_EVENT) continue;
        memmove(records + kept, records + at, size);
        kept += size;
    }
    VEER_CONTROL->output_length = kept;
    LEFT->stub_calls = 0;
    veer_begin_made();
}

/* A pointer that was looked at where it was copied to, and not in its own place, leads there in both. */
static void show_copied(uint64_t address, uint64_t size) {
    for (; size >= 8; address += 8, size -= 8) {
        uint32_t word = veer_words(address)[0];
        if (word < VEER_FIRST_EXPRESSION || word >> VEER_FRAGMENT_SHIFT || VEER_NODES[word].op != VEER_OP_LEAF) continue;
        uint32_t leaf = VEER_NODES[word].a;
        if (VEER_LEAVES[leaf].kind != VEER_LEAFKIND_CHOICE && !veer_is_end(leaf)) continue;
        if (LEAF_STATES[leaf].loaded_epoch == RUN->epoch) memcpy((void *)(uintptr_t)address, &LEAF_STATES[leaf].pointer, 8);
    }
}

void veer_outputs(const struct veer_variable *variables, uint32_t count, uint32_t when) {
    VEER_HOT->callee = 0;
    if (!VEER_CONTROL->record || VERSIONS->is_second) return;
    if (when == VEER_OUTPUTKIND_BEFORE) begin();
    for (uint32_t k = 0; k < count; k++) append(when, k, (uint64_t)(uintptr_t)variables[k].address, variables[k].size);
    if (when == VEER_OUTPUTKIND_BEFORE) return;
    uint32_t number = 0;
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++) {
        const struct veer_input_object *object = &INPUT_OBJECTS->of[k];
        const struct veer_chunk *chunk = &CHUNKS->of[object->chunk];
        if (LEAF_STATES[object->leaf].alternative != 1) continue; /* it has come to nothing */
        /* An input object has the number of the fresh pointer that leads to it; the unit may have freed its block. What no run has
           looked into has an address, but no contents. */
        number++;
        if (chunk->input_object != k + 1) continue;
        if (chunk->state == VEER_CHUNK_FREED) veer_append_output(VEER_OUTPUTKIND_FREED, number, chunk->freed_site, 0, WITHOUT_FLAGS);
        else show_copied(chunk->address, chunk->size), append(VEER_OUTPUTKIND_OBJECT, number, chunk->address, chunk->size);
    }
    veer_tell_made(variables, count);
}

/* What the entry returns. A scalar of at most 8 bytes is used; of another value it is told which bytes nobody wrote. */
void veer_returned(const void *value, uint32_t size, uint32_t is_scalar) {
    uint64_t address = (uint64_t)(uintptr_t)value;
    VEER_HOT->callee = 0;
    if (!veer_is_unwritten(address, size)) return;
    if (is_scalar && size <= 8) veer_written(veer_gather(address, size), veer_here());
    else append_unwritten(VEER_NONE, address, size);
}
