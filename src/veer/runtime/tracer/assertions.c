/* What a harness asks of values: assumptions, assertions, results. */
#include "assertions.h"

#include <string.h>

#include "calling.h"
#include "endings.h"
#include "engine/arena.h"
#include "events.h"
#include "places.h"
#include "run.h"
#include "sites.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"
#include "verify.h"
#include "words.h"

struct veer_assertions {
    uint32_t reaching; /* the run that has come to a place that is sought; it may come anywhere afterwards */
};
VEER_STATE_FITS(assertions);

uint32_t veer_truth_of(uint32_t shadow, uint64_t value) {
    if (!veer_symbolic(shadow)) return 0;
    uint32_t width = VEER_NODES[shadow].width;
    veer_verify(shadow, value);
    if (width == 1) return shadow;
    uint32_t zero = veer_constant(width, 0), equal = zero ? veer_expression(VEER_OP_EQ, 1, shadow, zero, 0) : 0;
    return equal ? veer_expression(VEER_OP_NOT, 1, equal, 0, 0) : 0;
}

void veer_assume(int condition) {
    uint32_t literal = veer_truth_of(veer_argument((void *)veer_assume, 0), (uint64_t)(int64_t)condition);
    VEER_HOT->callee = 0;
    veer_event(VEER_KIND_ASSUME, literal, condition != 0, veer_here());
    if (!condition) veer_finish(VEER_OUTCOME_ASSUMPTION);
}

_Bool veer_place_reached(void) {
    VEER_STATE(assertions)->reaching = RUN->epoch;
    return 1;
}

void veer_place_avoided(void) {
    if (VEER_STATE(assertions)->reaching == RUN->epoch) return;
    veer_event(VEER_KIND_ASSUME, 0, 0, veer_here());
    veer_finish(VEER_OUTCOME_ASSUMPTION);
}

void veer_assert(int condition, const char *text) {
    uint32_t literal = veer_truth_of(veer_argument((void *)veer_assert, 0), (uint64_t)(int64_t)condition);
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
