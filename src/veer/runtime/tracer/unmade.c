/* Objects that a run knows to be there and never looks into: `if (item != null) last = item;`. Nobody decides what their constructor
   gets, so that a test gives it zeros and nulls. Where it refuses these, there is no such test: it is called when the entry is over. */
#include "input_objects.h"
#include "leaf_state.h"
#include "run.h"
#include "sites.h"
#include "undecided.h"
#include "veer_harness.h"
#include "veer_runtime.h"

static int is_listed(const struct veer_type *type, const uint32_t *rows, uint32_t count) {
    for (uint32_t k = 0; type && k < count; k++)
        if (rows[k] == type->id) return 1;
    return 0;
}

void veer_make_asked(const uint32_t *rows, uint32_t count) {
    uint32_t site = veer_here();
    VEER_HOT->callee = 0;
    for (uint32_t k = 0; k < INPUT_OBJECTS->count; k++) {
        const struct veer_input_object *object = &INPUT_OBJECTS->of[k];
        int is_asked = LEAF_STATES[object->leaf].constrained_epoch == RUN->epoch;
        if (object->state != VEER_OBJECT_POSSIBLE || !is_asked || !is_listed(object->pointer->target, rows, count)) continue;
        if (veer_is_there(object)) veer_decide_pointer(object->leaf, site);
    }
}
