/* An access may lie between the shadows of a call's arguments and the call: those are kept, and so is what was returned. */
#include "within.h"

#include <string.h>

#include "veer_runtime.h"

void veer_call_within(uint64_t function, uint64_t argument, uint32_t site) {
    struct veer_hot *hot = VEER_HOT;
    uint64_t callee = hot->callee, returner = hot->returner, variadic = hot->variadic, values[32];
    uint32_t returned = hot->returned, arguments[32];
    memcpy(arguments, hot->arguments, sizeof arguments);
    memcpy(values, hot->values, sizeof values);
    if (hot->depth >= VEER_MAX_DEPTH) veer_too_deep(site);
    hot->frames[hot->depth].site = site;
    hot->frames[hot->depth].context = 0;
    hot->depth++;
    hot->callee = 0;
    ((void (*)(uint64_t))(uintptr_t)function)(argument);
    hot->depth--;
    memcpy(hot->arguments, arguments, sizeof arguments);
    memcpy(hot->values, values, sizeof values);
    hot->callee = callee;
    hot->returner = returner;
    hot->returned = returned;
    hot->variadic = variadic;
}
