/* How runs end: outcomes and their reports. */
#include "endings.h"

#include <string.h>

#include "engine/executes.h"
#include "engine/ledger.h"
#include "memory_map.h"
#include "places.h"
#include "run.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"

struct veer_endings {
    struct veer_report scratch_report; /* of a run whose report finds no room */
};
VEER_STATE_FITS(endings);
#define ENDINGS VEER_STATE(endings)

/* A report of the run that is ending, with the call stack filled in. It becomes public when the engine counts it.
   Its site is the user's: bugs are told apart by it, and two calls of strcpy are two places. */
struct veer_report *veer_report_begin(uint32_t outcome, uint32_t site) {
    struct veer_control *control = VEER_CONTROL;
    int full = control->report_count >= VEER_REPORTS_CAPACITY;
    struct veer_report *report = full ? &ENDINGS->scratch_report : &VEER_REPORTS[control->report_count];
    if (full) veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_REPORTS);
    memset(report, 0, sizeof *report);
    uint32_t depth = VEER_HOT->depth;
    report->path = VEER_NONE;
    report->outcome = outcome;
    while (veer_is_library_site(site) && depth > 0) site = VEER_HOT->frames[--depth].site;
    report->site = site;
    if (depth > 0 && VEER_HOT->frames[depth - 1].site == site) depth--; /* a function of the runtime: its call is the site */
    for (; depth > 0 && report->depth < VEER_MAX_STACK_SHOWN; depth--) report->stack[report->depth++] = VEER_HOT->frames[depth - 1].site;
    report->run = control->runs;
    report->nanoseconds = veer_now() - control->start_nanoseconds;
    control->last_report = full ? VEER_NONE : control->report_count;
    return report;
}

/* Whether nothing of veer's is to blame for this ending. */
static int is_the_units(uint32_t outcome) {
    return outcome <= VEER_OUTCOME_HANG || outcome == VEER_OUTCOME_ILLEGAL || outcome == VEER_OUTCOME_UNREACHABLE ||
           outcome == VEER_OUTCOME_QUOTIENT || outcome == VEER_OUTCOME_UNINITIALISED || outcome == VEER_OUTCOME_VIOLATED;
}

/* Ends the run under way; control goes back to veer_execute. A call that only prepares the unit must return: else the run is no test. */
void veer_finish(uint32_t outcome) {
    if (RUN->is_before && is_the_units(outcome)) {
        outcome = VEER_OUTCOME_ASSUMPTION;
        VEER_CONTROL->last_report = VEER_NONE;
    }
    VEER_CONTROL->last_outcome = outcome;
    _longjmp(RUN->end, 1);
}

void veer_end_run(uint32_t outcome, uint32_t site, const char *message) {
    struct veer_report *report = veer_report_begin(outcome, site);
    strncpy(report->message, message, sizeof report->message - 1);
    veer_finish(outcome);
}

void veer_hang(uint32_t site) { veer_end_run(VEER_OUTCOME_HANG, site, "the budget of steps ran out"); }

void veer_too_deep(uint32_t site) { veer_end_run(VEER_OUTCOME_STACK_OVERFLOW, site, "calls are nested too deeply"); }

void veer_refuse(const char *what) {
    veer_note_loss(VEER_LOSS_REFUSED, veer_user_site(veer_here()));
    veer_end_run(VEER_OUTCOME_UNSUPPORTED, veer_here(), what);
}

void veer_used_behind_close(void) { veer_end_run(VEER_OUTCOME_USE_AFTER_FREE, veer_here(), "a stream that was closed"); }

void veer_abort(uint32_t site) { veer_end_run(VEER_OUTCOME_ABORTED, site, "abort() was called"); }

void veer_exit_at_once(uint32_t site, int code) {
    (void)site;
    VEER_CONTROL->exit_code = code;
    veer_finish(VEER_OUTCOME_EXITED);
}

/* What atexit registered (libc/exits.c) is there in programs that call it. */
extern void veer_run_exit_handlers(int code) __attribute__((weak));

void veer_exit(uint32_t site, int code) {
    struct veer_hot *hot = VEER_HOT;
    if (veer_run_exit_handlers) {
        if (hot->depth >= VEER_MAX_DEPTH) veer_too_deep(site);
        hot->frames[hot->depth].site = site;
        hot->frames[hot->depth].context = 0;
        hot->depth++;
        hot->callee = 0;
        veer_run_exit_handlers(code);
    }
    veer_exit_at_once(site, code);
}

/* A copy of text of the unit's that may be no string at all; stops at what cannot be read. */
static void copy_text(char *to, size_t room, const char *from) {
    uint64_t address = (uint64_t)(uintptr_t)from;
    size_t k = 0;
    if (address < VEER_NULL_END || veer_own_address(address)) {
        to[0] = 0;
        return;
    }
    for (; k + 1 < room && from[k]; k++) to[k] = from[k];
    to[k] = 0;
}

void veer_assert_fail(uint32_t site, const char *text) {
    struct veer_report *report = veer_report_begin(VEER_OUTCOME_ASSERTION, site);
    copy_text(report->message, sizeof report->message, text);
    veer_finish(VEER_OUTCOME_ASSERTION);
}

void veer_error(const char *text) { veer_assert_fail(veer_here(), text); }

void veer_trap(uint32_t site, uint32_t kind) {
    uint32_t outcome = kind == 255 ? VEER_OUTCOME_ILLEGAL : kind == 254 ? VEER_OUTCOME_UNREACHABLE : VEER_OUTCOME_UNDEFINED;
    struct veer_report *report = veer_report_begin(outcome, site);
    report->value = kind;
    strncpy(report->message, kind == 255 ? "a trap was executed" : kind == 254 ? "unreachable code was reached" : "undefined behaviour",
            sizeof report->message - 1);
    veer_finish(outcome);
}

void veer_overlaps(void) { veer_trap(veer_here(), VEER_TRAP_OVERLAP); }

void veer_silent_exit(int code) {
    VEER_CONTROL->exit_code = code;
    veer_finish(VEER_OUTCOME_ASSUMPTION);
}
