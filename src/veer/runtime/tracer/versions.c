/* Two versions of the entry on the same input: `veer compare` (decision 0480).

       begin_run ─► the harness, which calls the old version ─► what it left is kept (left_over.c)
                 ─► all is set back but the input ─► the harness again, which calls the new one ─► both are compared (compare.c)

   It is one run with one trace. An input is found by its object and offset, or by its name and how often that was asked for: so the
   new version gets what the old one got, in whatever order it asks. What the old one decided about an input stays decided. Input
   objects keep their addresses; the blocks that the old version allocated stay where they are, for they are compared. */
#include "versions.h"

#include <errno.h>
#include <string.h>

#include "chunks.h"
#include "endings.h"
#include "events.h"
#include "globals.h"
#include "initialise.h"
#include "input_leaves.h"
#include "input_objects.h"
#include "left_over.h"
#include "open_calls.h"
#include "process.h"
#include "roots.h"
#include "signals.h"
#include "sites.h"
#include "stack.h"
#include "uninitialised.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "waiting.h"

void veer_versions_begin(void) {
    VERSIONS->is_second = 0;
    VEER_CONTROL->is_compared = 0;
    veer_left_over_begin();
}

void veer_call_version(void (*old_version)(void), void (*new_version)(void)) {
    VEER_HOT->callee = 0;
    VEER_CONTROL->is_compared = 1;
    VERSIONS->site = veer_here();
    (VERSIONS->is_second ? new_version : old_version)();
    VEER_HOT->callee = 0;
}

/* Keeps the report of a version, of which the run has one place alone. */
static void keep_report(uint32_t version) {
    struct veer_report *kept = &VEER_REGION(struct veer_report, VERSION_REPORTS)[version];
    if (VEER_CONTROL->last_report == VEER_NONE) memset(kept, 0, sizeof *kept);
    else *kept = VEER_REPORTS[VEER_CONTROL->last_report];
}

/* Whether an end is the version's own, which can be compared. */
static int is_told(uint32_t outcome) {
    switch (outcome) {
    case VEER_OUTCOME_ASSUMPTION:
    case VEER_OUTCOME_CAPACITY:
    case VEER_OUTCOME_UNSUPPORTED:
    case VEER_OUTCOME_MEMORY_LIMIT:
    case VEER_OUTCOME_OUTPUT_LIMIT:
    case VEER_OUTCOME_KILLED: return 0;
    default: return 1;
    }
}

int veer_goes_on(void) {
    const struct veer_control *control = VEER_CONTROL;
    return control->is_compared && is_told(control->last_outcome) && !PROCESS->untrusted && !GLOBALS->constant_written;
}

/* The input objects as they were made; those that the old version freed are there again. */
static void make_again(void) {
    uint32_t count = INPUT_OBJECTS->count;
    for (uint32_t k = 0; k < count; k++) {
        struct veer_input_object *object = &INPUT_OBJECTS->of[k];
        if (!object->is_filled) continue;
        CHUNKS->of[object->chunk].given = 0;
        veer_fill_object(object, VERSIONS->site);
        if (object->state == VEER_OBJECT_MADE) veer_initialise_object(object, VERSIONS->site);
    }
}

void veer_second_begins(void) {
    struct veer_control *control = VEER_CONTROL;
    struct veer_hot *hot = VEER_HOT;
    control->old_outcome = control->last_outcome;
    control->old_exit_code = control->exit_code;
    keep_report(0);
    control->last_report = VEER_NONE;
    VERSIONS->is_second = 1;
    VERSIONS->old_length = control->result_length;
    VERSIONS->old_count = control->result_count;
    control->last_outcome = VEER_OUTCOME_NONE;
    control->exit_code = 0;
    hot->steps = control->is_concrete && control->mutation_steps ? (int64_t)control->mutation_steps
                 : control->max_steps                            ? (int64_t)control->max_steps
                                                                 : INT64_MAX;
    hot->callee = hot->returner = 0;
    hot->returned = hot->depth = 0;
    CHUNKS->used = 0;
    for (uint32_t k = 0; k < CHUNKS->count; k++) CHUNKS->of[k].given = 1; /* no leak of the new version's */
    veer_open_calls_begin();
    veer_stack_begin();
    veer_uninitialised_begin();
    veer_restore_globals();
    veer_waiting_begin();
    veer_roots_again();
    INPUT_LEAVES->making = 0;
    if (PROCESS->handlers_dirty) veer_install_handlers();
    PROCESS->handlers_dirty = 0;
    errno = 0;
    make_again();
}

void veer_second_ends(void) {
    struct veer_control *control = VEER_CONTROL;
    control->new_outcome = control->last_outcome;
    control->new_exit_code = control->exit_code;
    keep_report(1);
    control->result_length = VERSIONS->old_length;
    control->result_count = VERSIONS->old_count;
}
