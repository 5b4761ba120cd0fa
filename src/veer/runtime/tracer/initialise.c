/* Initialisers of the user's (LCT section 4.2): a function veer_init_TYPE is called for each new input object of that type, when its
   contents are made. What it writes stands, all else stays input. */
#include "initialise.h"

#include "elements.h"
#include "growth.h"
#include "input_objects.h"
#include "veer_harness.h"
#include "veer_runtime.h"
#include "within.h"

/* Whether the object has an element k. Where its length is an input, that is decided now, as a guard: how often the initialiser is called
   depends on it, and no bug does. */
static int has_element(struct veer_input_object *object, uint32_t k, uint32_t site) {
    int varies = object->length_leaf != VEER_NONE;
    if (varies) veer_meet_bound(object->pointer->bound);
    if (varies && k < veer_maximum(object->pointer) + object->more) veer_element_exists(object, k, VEER_KIND_GUARD, site);
    return k < object->count;
}

/* Calls the initialiser of the object's type for each of its elements. */
void veer_initialise_object(struct veer_input_object *object, uint32_t site) {
    const struct veer_type *type = object->pointer->target;
    if (!type || type->kind != VEER_TYPE_STRUCT || !type->function) return;
    for (uint32_t k = 0; has_element(object, k, site); k++)
        veer_call_within((uint64_t)(uintptr_t)type->function, veer_object_address(object) + (uint64_t)k * object->element_size, site);
}
