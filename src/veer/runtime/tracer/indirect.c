/* Indirect calls and computed gotos: which function of the program, or which label, one reaches is a part of the path; a target that is
   none is a bug.

   A target may have no shadow and hang on an input all the same, when the table's index was pinned: each one is mixed in. Where the
   branches before it settle the target, that tells no paths apart. */
#include <stdio.h>

#include "endings.h"
#include "events.h"
#include "image.h"
#include "memory_map.h"
#include "veer_runtime.h"

/* Whether the target is a place in the program's own code; it is mixed into the path. */
static int is_in_text(uint64_t target, uint32_t site) {
    int in_text = target >= IMAGE->begin && target < IMAGE->text_end;
    if (in_text) veer_mix_callee(site, target - IMAGE->begin);
    return in_text;
}

static _Noreturn void goes_nowhere(uint64_t target, uint32_t site, const char *what) {
    struct veer_report *report = veer_report_begin(target < VEER_NULL_END ? VEER_OUTCOME_SEGFAULT_NULL : VEER_OUTCOME_SEGFAULT_WILD, site);
    report->address = target;
    snprintf(report->message, sizeof report->message, "a %s %#llx, where no %s is", what[0] == 'f' ? "call of" : "goto to",
             (unsigned long long)target, what);
    veer_finish(report->outcome);
}

void veer_indirect(uint64_t target, uint32_t target_shadow, uint32_t site) {
    veer_pin(target_shadow, target, 64, site);
    int in_library = target >= VEER_LOW_END && !veer_own_address(target) &&
                     (target < VEER_NATIVE_STACK_BASE || target >= VEER_NATIVE_STACK_BASE + VEER_NATIVE_STACK_SIZE);
    if (!is_in_text(target, site) && !in_library) goes_nowhere(target, site, "function");
}

void veer_indirect_jump(uint64_t target, uint32_t target_shadow, uint32_t site) {
    veer_pin(target_shadow, target, 64, site);
    if (!is_in_text(target, site)) goes_nowhere(target, site, "label");
}
