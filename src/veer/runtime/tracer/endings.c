/* How runs end: outcomes and their reports. */
#include <stdio.h>
#include <string.h>

#include "tracer.h"

/* A report of the run that is ending, with the call stack filled in. It becomes public when the engine counts it. */
struct veer_report *veer_report_begin(uint32_t outcome, uint32_t site) {
    struct veer_control *control = VEER_CONTROL;
    int full = control->report_count >= VEER_REPORTS_CAPACITY;
    struct veer_report *report = full ? &TRACER->scratch_report : &VEER_REPORTS[control->report_count];
    if (full) veer_note_loss(VEER_LOSS_CAPACITY, VEER_TABLE_REPORTS);
    memset(report, 0, sizeof *report);
    uint32_t depth = VEER_HOT->depth;
    report->path = VEER_NONE;
    report->outcome = outcome;
    report->site = site;
    if (depth > 0 && VEER_HOT->frames[depth - 1].site == site) depth--; /* a function of the runtime: its call is the site */
    for (; depth > 0 && report->depth < VEER_MAX_STACK_SHOWN; depth--) report->stack[report->depth++] = VEER_HOT->frames[depth - 1].site;
    report->run = control->runs;
    report->nanoseconds = veer_now() - control->start_nanoseconds;
    control->last_report = full ? VEER_NONE : control->report_count;
    return report;
}

/* Ends the run under way; control goes back to veer_execute. */
void veer_finish(uint32_t outcome) {
    VEER_CONTROL->last_outcome = outcome;
    _longjmp(TRACER->end, 1);
}

void veer_end_run(uint32_t outcome, uint32_t site, const char *message) {
    struct veer_report *report = veer_report_begin(outcome, site);
    strncpy(report->message, message, sizeof report->message - 1);
    veer_finish(outcome);
}

void veer_hang(uint32_t site) { veer_end_run(VEER_OUTCOME_HANG, site, "the budget of steps ran out"); }

void veer_too_deep(uint32_t site) { veer_end_run(VEER_OUTCOME_STACK_OVERFLOW, site, "calls are nested too deeply"); }

void veer_refuse(const char *what) { veer_end_run(VEER_OUTCOME_UNSUPPORTED, veer_here(), what); }

void veer_abort(uint32_t site) { veer_end_run(VEER_OUTCOME_ABORTED, site, "abort() was called"); }

void veer_exit(uint32_t site, int code) {
    (void)site;
    VEER_CONTROL->exit_code = code;
    veer_finish(VEER_OUTCOME_EXITED);
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

void veer_silent_exit(int code) {
    VEER_CONTROL->exit_code = code;
    veer_finish(VEER_OUTCOME_ASSUMPTION);
}

/* The literal "argument 0 is not 0", or 0 when it is concrete. */
static uint32_t truth_of(uint32_t shadow, uint64_t value) {
    if (!veer_symbolic(shadow)) return 0;
    uint32_t width = VEER_NODES[shadow].width;
    veer_verify(shadow, value);
    if (width == 1) return shadow;
    uint32_t zero = veer_constant(width, 0), equal = zero ? veer_expression(VEER_OP_EQ, 1, shadow, zero, 0) : 0;
    return equal ? veer_expression(VEER_OP_NOT, 1, equal, 0, 0) : 0;
}

void veer_assume(int condition) {
    uint32_t literal = truth_of(veer_argument((void *)veer_assume, 0), (uint64_t)(int64_t)condition);
    VEER_HOT->callee = 0;
    veer_event(VEER_KIND_ASSUME, literal, condition != 0, veer_here());
    if (!condition) veer_finish(VEER_OUTCOME_ASSUMPTION);
}

void veer_assert(int condition, const char *text) {
    uint32_t literal = truth_of(veer_argument((void *)veer_assert, 0), (uint64_t)(int64_t)condition);
    VEER_HOT->callee = 0;
    veer_event(VEER_KIND_CHECK, literal, condition != 0, veer_here());
    if (!condition) veer_assert_fail(veer_here(), text);
}

uint32_t veer_is_symbolic(uint64_t value) {
    uint32_t shadow = veer_argument((void *)veer_is_symbolic, 0);
    (void)value;
    VEER_HOT->callee = 0;
    return veer_symbolic(shadow);
}

void veer_result(const void *value, uint32_t size, uint32_t type) {
    struct veer_control *control = VEER_CONTROL;
    (void)type;
    VEER_HOT->callee = 0;
    if (control->result_length + size > VEER_RESULT_CAPACITY) return;
    memcpy(VEER_REGION(uint8_t, RESULT) + control->result_length, value, size);
    control->result_length += size;
    control->result_count++;
}

void veer_indirect(uint64_t target, uint32_t target_shadow, uint32_t site) {
    veer_pin(target_shadow, target, 64, site);
    int in_text = target >= TRACER->image_begin && target < TRACER->text_end;
    int in_library = target >= VEER_LOW_END && !veer_own_address(target) &&
                     (target < VEER_NATIVE_STACK_BASE || target >= VEER_NATIVE_STACK_BASE + VEER_NATIVE_STACK_SIZE);
    if (in_text || in_library) return;
    struct veer_report *report = veer_report_begin(target < VEER_NULL_END ? VEER_OUTCOME_SEGFAULT_NULL : VEER_OUTCOME_SEGFAULT_WILD, site);
    report->address = target;
    snprintf(report->message, sizeof report->message, "a call of %#llx, where no function is", (unsigned long long)target);
    veer_finish(report->outcome);
}
