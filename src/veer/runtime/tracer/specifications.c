/* Monitors of specifications (src/veer/specs/monitor.py): they are instrumented C, which tells of its events here, of what it holds, and
   asks what must hold. */
#include "specifications.h"

#include <string.h>

#include "assertions.h"
#include "calling.h"
#include "endings.h"
#include "events.h"
#include "outputs.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"

enum { NOT_KNOWN = 255 };

void veer_specifications_begin(void) {
    memset(SPECIFICATIONS->distances, NOT_KNOWN, sizeof SPECIFICATIONS->distances);
    memset(SPECIFICATIONS->states, 0, sizeof SPECIFICATIONS->states);
    SPECIFICATIONS->watched = NOT_KNOWN;
}

/* What decisions are marked with from now on. */
static void mark(void) {
    uint32_t least = NOT_KNOWN, all = 0;
    for (unsigned k = 0; k < VEER_MAX_SPECIFICATIONS; k++) {
        if (SPECIFICATIONS->distances[k] < least) least = SPECIFICATIONS->distances[k];
        all = 31 * all + SPECIFICATIONS->states[k];
    }
    SPECIFICATIONS->watched = (uint16_t)(least | ((all ^ all >> 8) & 0xff) << 8);
}

void veer_specification_event(unsigned event, unsigned count, long first, long second, long third, long fourth) {
    VEER_HOT->callee = 0;
    if (!VEER_CONTROL->record) return;
    long told[] = {first, second, third, fourth};
    veer_append_output(VEER_OUTPUTKIND_EVENT, event, (uint64_t)(uintptr_t)told, count * (uint32_t)sizeof told[0], WITHOUT_FLAGS);
}

void veer_specification_state(unsigned number, int seen, const unsigned char *registers, unsigned count, const unsigned char *distances) {
    VEER_HOT->callee = 0;
    if (number >= VEER_MAX_SPECIFICATIONS || !seen) return;
    unsigned state = 0, is_told_apart = count < 32 && 1u << count <= VEER_SPECIFICATION_STATES;
    for (unsigned k = 0; is_told_apart && k < count; k++) state |= (registers[k] & 1u) << k;
    VEER_REGION(uint8_t, SPECIFICATION_STATES)[number * VEER_SPECIFICATION_STATES + state] = 1;
    SPECIFICATIONS->states[number] = (uint8_t)(state ^ state >> 8);
    if (distances && is_told_apart) SPECIFICATIONS->distances[number] = distances[state];
    mark();
}

void veer_specification_check(int holds, unsigned number, const char *name) {
    uint32_t literal = veer_truth_of(veer_argument((void *)veer_specification_check, 0), (uint64_t)(int64_t)holds);
    VEER_HOT->callee = 0;
    veer_event(VEER_KIND_CHECK, literal, holds != 0, veer_here());
    if (holds) return;
    struct veer_report *report = veer_report_begin(VEER_OUTCOME_VIOLATED, veer_here());
    report->value = number;
    strncpy(report->message, name, sizeof report->message - 1);
    veer_finish(VEER_OUTCOME_VIOLATED);
}

void veer_specification_full(void) { veer_refuse("more values of a specification's name than are followed"); }
