/* Monitors of specifications (src/veer/specs/monitor.py): they are instrumented C, which tells of its events here, of what it holds, and
   asks what must hold. */
#include "specifications.h"

#include <string.h>

#include "assertions.h"
#include "calling.h"
#include "endings.h"
#include "events.h"
#include "output_records.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

enum { NOT_KNOWN = 255 };

void veer_specifications_begin(void) {
    memset(SPECIFICATIONS->distances, NOT_KNOWN, sizeof SPECIFICATIONS->distances);
    memset(SPECIFICATIONS->states, 0, sizeof SPECIFICATIONS->states);
    memset(SPECIFICATIONS->registers, 0xff, sizeof SPECIFICATIONS->registers); /* REGISTERS_FIRST */
    SPECIFICATIONS->watched = NOT_KNOWN;
    SPECIFICATIONS->count = 0;
}

/* What decisions are marked with from now on. */
static void mark(void) {
    uint32_t least = NOT_KNOWN, all = 0;
    for (unsigned k = 0; k < SPECIFICATIONS->count; k++) {
        if (SPECIFICATIONS->distances[k] < least) least = SPECIFICATIONS->distances[k];
        all = 31 * all + SPECIFICATIONS->states[k];
    }
    SPECIFICATIONS->watched = (uint16_t)(least | ((all ^ all >> 8) & 0xff) << 8);
}

/* The first event of a run that it may heed. */
static void begin(const struct veer_heed *heed) {
    SPECIFICATIONS->registers[heed->number] = SPECIFICATIONS->bits[heed->number] = heed->initial;
    SPECIFICATIONS->distances[heed->number] = heed->distances[heed->initial];
    SPECIFICATIONS->states[heed->number] = (uint8_t)(heed->initial ^ heed->initial >> 8);
    if (SPECIFICATIONS->count <= heed->number) SPECIFICATIONS->count = heed->number + 1u;
    mark();
}

/* Some run saw an event, and this is what the registers held then. */
static void note(uint32_t number, uint32_t state) { VEER_REGION(uint8_t, SPECIFICATION_STATES)[number * VEER_SPECIFICATION_STATES + state] = 1; }

unsigned veer_specification_at(const struct veer_heed *heed) {
    VEER_HOT->callee = 0;
    if (heed->distances && SPECIFICATIONS->registers[heed->number] == REGISTERS_FIRST) begin(heed);
    uint32_t tells = VEER_CONTROL->record ? VEER_SPECIFICATION_TELLS : 0;
    if (VEER_CONTROL->is_concrete) return REGISTERS_UNKNOWN | tells; /* it asks nothing, and sees what is to be seen */
    uint32_t state = SPECIFICATIONS->registers[heed->number];
    if (!heed->distances || state == REGISTERS_UNKNOWN) return REGISTERS_UNKNOWN | tells;
    if (!heed->idle || !heed->idle[state]) return state | tells;
    if (heed->always) note(heed->number, SPECIFICATIONS->bits[heed->number]);
    return VEER_SPECIFICATION_IDLE | tells;
}

void veer_specification_event(unsigned event, unsigned count, long first, long second, long third, long fourth) {
    VEER_HOT->callee = 0;
    if (!VEER_CONTROL->record) return;
    long told[] = {first, second, third, fourth};
    veer_append_output(VEER_OUTPUTKIND_EVENT, event, (uint64_t)(uintptr_t)told, count * (uint32_t)sizeof told[0], WITHOUT_FLAGS);
}

/* What is known of the registers: a number of specifications.h. */
static uint16_t known(const unsigned char *registers, unsigned count, unsigned state, int is_told_apart) {
    if (!is_told_apart) return REGISTERS_UNKNOWN;
    if (!veer_symbolic_range((uint64_t)(uintptr_t)registers, count)) return (uint16_t)state;
    if (count > IN_PART) return REGISTERS_UNKNOWN;
    for (unsigned k = 0; k < count; k++)
        if (veer_symbolic_range((uint64_t)(uintptr_t)(registers + k), 1)) state = (state & ~(1u << k)) | 1u << (count + k);
    return (uint16_t)state;
}

void veer_specification_state(unsigned number, int seen, const unsigned char *registers, unsigned count, const unsigned char *distances) {
    VEER_HOT->callee = 0;
    if (number >= VEER_MAX_SPECIFICATIONS) return;
    unsigned state = 0, is_told_apart = count < 32 && 1u << count <= VEER_SPECIFICATION_STATES;
    for (unsigned k = 0; is_told_apart && k < count; k++) state |= (registers[k] & 1u) << k;
    int is_seen = seen < 0 ? state != SPECIFICATIONS->bits[number] : seen;
    SPECIFICATIONS->registers[number] = known(registers, count, state, is_told_apart);
    SPECIFICATIONS->bits[number] = (uint16_t)state;
    if (!is_seen) return;
    if (SPECIFICATIONS->count <= number) SPECIFICATIONS->count = number + 1;
    note(number, state);
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
