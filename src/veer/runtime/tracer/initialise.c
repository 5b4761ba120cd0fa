/* Initialisers of the user's (LCT section 4.2): a function veer_init_TYPE is called for each new input object of that type, when its
   contents are made. What it writes stands, all else stays input. */
#include "initialise.h"

#include <string.h>

#include "elements.h"
#include "growth.h"
#include "input_objects.h"
#include "veer_harness.h"
#include "veer_runtime.h"

static void initialise(const struct veer_type *type, uint64_t address, uint32_t site) {
    struct veer_hot *hot = VEER_HOT;
    if (hot->depth >= VEER_MAX_DEPTH) veer_too_deep(site);
    hot->frames[hot->depth].site = site;
    hot->frames[hot->depth].context = 0;
    hot->depth++;
    hot->callee = 0;
    ((void (*)(void *))(uintptr_t)type->function)((void *)(uintptr_t)address);
    hot->depth--;
}

/* Whether the object has an element k. Where its length is an input, that is decided now, as a guard: how often the initialiser is called
   depends on it, and no bug does. */
static int has_element(struct veer_input_object *object, uint32_t k, uint32_t site) {
    int varies = object->length_leaf != VEER_NONE;
    if (varies) veer_meet_bound(object->pointer->bound);
    if (varies && k < veer_maximum(object->pointer) + object->more) veer_element_exists(object, k, VEER_KIND_GUARD, site);
    return k < object->count;
}

/* Calls the initialiser of the object's type for each of its elements. Code of the unit runs within an access of the unit, perhaps
   between the shadows of a call's arguments and the call: those are kept. */
void veer_initialise_object(struct veer_input_object *object, uint32_t site) {
    const struct veer_type *type = object->pointer->target;
    struct veer_hot *hot = VEER_HOT;
    if (!type || type->kind != VEER_TYPE_STRUCT || !type->function) return;
    uint64_t callee = hot->callee, returner = hot->returner, variadic = hot->variadic, values[32];
    uint32_t returned = hot->returned, arguments[32];
    memcpy(arguments, hot->arguments, sizeof arguments);
    memcpy(values, hot->values, sizeof values);
    for (uint32_t k = 0; has_element(object, k, site); k++) initialise(type, veer_object_address(object) + (uint64_t)k * object->element_size, site);
    memcpy(hot->arguments, arguments, sizeof arguments);
    memcpy(hot->values, values, sizeof values);
    hot->callee = callee;
    hot->returner = returner;
    hot->returned = returned;
    hot->variadic = variadic;
}
