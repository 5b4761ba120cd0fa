/* Indirect calls: which function of the program one reaches is a part of the path; a target that is no function is a bug.

   A target may have no shadow and hang on an input all the same, when the table's index was pinned: each one is mixed in. Where the
   branches before it settle the target, that tells no paths apart. */
#include <stdio.h>

#include "endings.h"
#include "events.h"
#include "image.h"
#include "memory_map.h"
#include "veer_runtime.h"

void veer_indirect(uint64_t target, uint32_t target_shadow, uint32_t site) {
    veer_pin(target_shadow, target, 64, site);
    int in_text = target >= IMAGE->begin && target < IMAGE->text_end;
    if (in_text) veer_mix_callee(site, target - IMAGE->begin);
    int in_library = target >= VEER_LOW_END && !veer_own_address(target) &&
                     (target < VEER_NATIVE_STACK_BASE || target >= VEER_NATIVE_STACK_BASE + VEER_NATIVE_STACK_SIZE);
    if (in_text || in_library) return;
    struct veer_report *report = veer_report_begin(target < VEER_NULL_END ? VEER_OUTCOME_SEGFAULT_NULL : VEER_OUTCOME_SEGFAULT_WILD, site);
    report->address = target;
    snprintf(report->message, sizeof report->message, "a call of %#llx, where no function is", (unsigned long long)target);
    veer_finish(report->outcome);
}
