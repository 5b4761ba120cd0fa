/* Indirect jumps and calls of lifted code that go where nothing was lifted yet. Each value that a symbolic target can have is a run of its own, so
   that one search meets all of them; the front end builds the program again with what was met (docs/decisions/0490). */
#include <stdio.h>

#include "calling.h"
#include "endings.h"
#include "engine/ledger.h"
#include "mapped.h"
#include "memory_map.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "words.h"

#define TARGETS VEER_REGION(struct veer_target, TARGETS)

static void note(uint64_t at, uint64_t target) {
    struct veer_control *control = VEER_CONTROL;
    for (uint32_t k = 0; k < control->target_count; k++)
        if (TARGETS[k].at == at && TARGETS[k].target == target) return;
    if (control->target_count == VEER_TARGETS_CAPACITY) return;
    TARGETS[control->target_count] = (struct veer_target){.at = at, .target = target};
    control->last_target_run = control->runs;
    __atomic_store_n(&control->target_count, control->target_count + 1, __ATOMIC_RELEASE);
}

static _Noreturn void goes_nowhere(uint64_t at, uint64_t target) {
    struct veer_report *report = veer_report_begin(target < VEER_NULL_END ? VEER_OUTCOME_SEGFAULT_NULL : VEER_OUTCOME_SEGFAULT_WILD, veer_here());
    report->address = target;
    snprintf(report->message, sizeof report->message, "the instruction at %#llx goes to %#llx, where no code is", (unsigned long long)at,
             (unsigned long long)target);
    veer_finish(report->outcome);
}

/* A function returns to `target`, and was called where code goes on at `back`. An address that an input has overwritten may be the right one;
   of the others one is looked at. */
void veer_check_return(uint64_t at, uint64_t target, uint64_t back) {
    uint32_t shadow = veer_argument((void *)veer_check_return, 1);
    char message[100];
    VEER_HOT->callee = 0;
    if (target == back) {
        if (veer_symbolic(shadow)) veer_pin(shadow, target, 64, veer_here());
        return;
    }
    if (veer_symbolic(shadow)) veer_note_loss(VEER_LOSS_ADDRESS, veer_user_site(veer_here()));
    if (!veer_is_mapped_code(target) && !veer_is_behind_stack(target)) goes_nowhere(at, target);
    veer_note_loss(VEER_LOSS_REFUSED, veer_user_site(veer_here()));
    snprintf(message, sizeof message, "the instruction at %#llx returns to %#llx, and not behind the call", (unsigned long long)at,
             (unsigned long long)target);
    veer_end_run(VEER_OUTCOME_UNSUPPORTED, veer_here(), message);
}

_Noreturn void veer_unknown_target(uint64_t at, uint64_t target, uint64_t mark) {
    uint32_t shadow = veer_argument((void *)veer_unknown_target, 1);
    char message[100];
    VEER_HOT->callee = 0;
    veer_pin(shadow, target, 64, veer_here());
    if (veer_is_mapped_code(target & ~mark)) note(at, target);
    else if (!veer_is_behind_stack(target & ~mark)) goes_nowhere(at, target & ~mark);
    veer_note_loss(VEER_LOSS_REFUSED, veer_user_site(veer_here()));
    snprintf(message, sizeof message, "the instruction at %#llx goes to %#llx, which was not known", (unsigned long long)at,
             (unsigned long long)(target & ~mark));
    veer_end_run(VEER_OUTCOME_UNSUPPORTED, veer_here(), message);
}
