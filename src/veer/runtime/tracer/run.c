/* One run of the unit: everything is set back, the unit runs on a stack of its own, and comes back here however it ends. */
#include "run.h"

#include <errno.h>
#include <string.h>
#include <xmmintrin.h>

#include "bounds.h"
#include "callees.h"
#include "chunks.h"
#include "compare.h"
#include "deferred.h"
#include "engine/executes.h"
#include "events.h"
#include "extents.h"
#include "flow_control.h"
#include "flows.h"
#include "globals.h"
#include "input_leaves.h"
#include "inputs.h"
#include "leaks.h"
#include "left_over.h"
#include "levels.h"
#include "memory_map.h"
#include "open_calls.h"
#include "placement.h"
#include "process.h"
#include "roots.h"
#include "sequence.h"
#include "signals.h"
#include "specifications.h"
#include "stack.h"
#include "uninitialised.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "versions.h"

struct veer_coverage_copy {
    uint8_t bytes[VEER_COVERAGE_SIZE]; /* the campaign's edges while a recorded run has its own */
};
VEER_STATE_FITS(coverage_copy);
#define COVERAGE_COPY VEER_STATE(coverage_copy)

#define DEFAULT_ROUNDING 0x1f80u

/* Numbers the run; marks of older runs become void. */
static void next_epoch(void) {
    if (++RUN->epoch != 0) return;
    veer_events_forget();
    veer_input_leaves_forget();
    veer_roots_forget();
    RUN->epoch = 1;
}

static void begin_run(void) {
    struct veer_control *control = VEER_CONTROL;
    struct veer_hot *hot = VEER_HOT;
    next_epoch();
    uint64_t most = control->is_concrete ? control->mutation_steps : control->max_steps;
    hot->steps = most ? (int64_t)most : INT64_MAX;
    hot->path_hash = 0;
    hot->callee = 0;
    hot->returner = 0;
    hot->returned = 0;
    hot->depth = 0;
    veer_places_begin();
    RUN->is_before = 0;
    control->trace_count = 0;
    control->current_hash = 0;
    control->last_outcome = VEER_OUTCOME_NONE;
    control->last_report = VEER_NONE;
    control->exit_code = 0;
    veer_events_begin();
    veer_bounds_begin();
    veer_deferred_begin();
    veer_specifications_begin();
    veer_open_calls_begin();
    veer_heap_begin();
    veer_leaks_begin();
    veer_extents_begin();
    veer_stack_begin();
    veer_uninitialised_begin();
    veer_restore_globals();
    if (veer_has_flows()) veer_flow_begin();
    veer_inputs_begin();
    veer_sequence_begin();
    veer_levels_begin();
    veer_versions_begin();
    if (PROCESS->handlers_dirty) veer_install_handlers();
    PROCESS->handlers_dirty = 0;
    if (_mm_getcsr() != DEFAULT_ROUNDING) _mm_setcsr(DEFAULT_ROUNDING);
    errno = 0;
}

/* What a process of the plain program does: constructors, then the unit. */
static void unit(void) {
    for (const veer_constructor *constructor = __start_veer_constructors; constructor < __stop_veer_constructors; constructor++)
        (*constructor)();
    veer_main();
}

/* Calls it on the unit's native stack. */
static void call_unit(void) {
    uint64_t top = VEER_NATIVE_STACK_BASE + VEER_NATIVE_STACK_SIZE;
    __asm__ volatile("movq %%rsp, %%rbx\n\tmovq %[top], %%rsp\n\tcallq *%[unit]\n\tmovq %%rbx, %%rsp"
                     :
                     : [top] "r"(top), [unit] "r"(unit)
                     : "rax", "rbx", "rcx", "rdx", "rsi", "rdi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4",
                       "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory", "cc");
}

/* Keeps the edges of this run alone in `run_edges`, when it is recorded. */
static void record_edges_begin(void) {
    memcpy(COVERAGE_COPY->bytes, VEER_COVERAGE, VEER_CONTROL->edge_count);
    memset(VEER_COVERAGE, 0, VEER_CONTROL->edge_count);
}

static void record_edges_end(void) {
    uint32_t count = VEER_CONTROL->edge_count;
    memcpy(VEER_REGION(uint8_t, RUN_EDGES), VEER_COVERAGE, count);
    for (uint32_t k = 0; k < count; k++) VEER_COVERAGE[k] |= COVERAGE_COPY->bytes[k];
}

/* Does that, and comes back however it ends. */
static void until_it_ends(void (*what)(void)) {
    if (_setjmp(RUN->end) == 0) {
        RUN->in_run = 1;
        what();
    }
    RUN->in_run = 0;
}

static void whole_unit(void) {
    call_unit();
    if (VEER_CONTROL->is_compared) veer_keep_objects();
    if (VEER_CONTROL->check_leaks) veer_check_leaks();
    VEER_CONTROL->last_outcome = VEER_OUTCOME_RETURNED;
}

static void second_version(void) {
    veer_second_begins();
    whole_unit();
}

static void run_once(void) {
    struct veer_control *control = VEER_CONTROL;
    begin_run();
    if (control->record) record_edges_begin();
    control->running = 1;
    until_it_ends(whole_unit);
    if (veer_goes_on()) {
        until_it_ends(second_version);
        veer_second_ends();
        until_it_ends(veer_compare_versions);
    }
    control->running = 0;
    control->steps_left = VEER_HOT->steps;
    if (veer_has_flows()) veer_flow_end(control->last_outcome);
    control->current_hash = veer_path_identity();
    if (control->record) record_edges_end();
}

/* A write to constant data is a fault of the machine's, and the fast path does not say where it is: the run is made once more on the slow one. */
int veer_execute(void) {
    GLOBALS->constant_written = 0;
    run_once();
    if (GLOBALS->constant_written) {
        veer_guard_constants();
        run_once();
        veer_release_constants();
    }
    return (int)PROCESS->untrusted;
}

int veer_execute_concretely(uint64_t most_steps, uint64_t *steps) {
    struct veer_control *control = VEER_CONTROL;
    memset(VEER_COVERAGE, 0, (control->edge_count + 7) & ~7u);
    control->mutation_steps = most_steps;
    control->is_concrete = 1;
    int renew = veer_execute();
    control->is_concrete = 0;
    *steps = most_steps - (uint64_t)(VEER_HOT->steps < 0 ? 0 : VEER_HOT->steps);
    return renew;
}

const uint8_t *veer_edge_counts(void) { return VEER_COVERAGE; }

void veer_forget_edges(void) { memset(VEER_COVERAGE, 0, (VEER_CONTROL->edge_count + 7) & ~7u); }

void veer_drop_new_edges(void) {
    uint8_t *covered = VEER_COVERAGE;
    const uint8_t *seen = VEER_REGION(uint8_t, EDGE_SEEN);
    for (uint32_t k = 0; k < VEER_CONTROL->edge_count; k++) covered[k] = seen[k];
}

int veer_take_new_edges(void) {
    int counts = VEER_CONTROL->last_outcome != VEER_OUTCOME_ASSUMPTION; /* a violated precondition is no test: it covers nothing */
    uint8_t *covered = VEER_COVERAGE;
    uint8_t *seen = VEER_REGION(uint8_t, EDGE_SEEN);
    uint32_t count = (VEER_CONTROL->edge_count + 7) & ~7u;
    int found = 0;
    for (uint32_t k = 0; k < count; k += 64) {
        uint64_t any = 0;
        for (uint32_t i = k; i < k + 64; i += 8) /* a byte of `seen` is 0 or 1, and 0 or 255 times 255 */
            any |= *(const uint64_t *)(covered + i) & ~(*(const uint64_t *)(seen + i) * 255);
        if (!any) continue;
        for (uint32_t i = k; i < k + 64; i++) {
            if (!counts) covered[i] = seen[i];
            found += covered[i] && !seen[i];
            seen[i] |= covered[i] != 0;
        }
    }
    if (counts) found += veer_take_new_callees();
    return found;
}
