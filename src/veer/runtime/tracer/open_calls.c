/* Calls of uninstrumented functions that have not returned yet: what they may still do. */
#include "open_calls.h"

#include "veer_runtime.h"

/* Whether uninstrumented code that has not returned yet may write to that memory when it goes on: what is stored there meanwhile (by
   a function that it called back) cannot stay symbolic. Locals made since then are nobody's but the callback's. */
int veer_may_be_overwritten(uint64_t address) {
    for (uint32_t k = 0; k < OPEN_CALLS->count; k++) {
        const struct veer_open_call *call = &OPEN_CALLS->of[k];
        int is_inner_local = address >= call->stack_mark && address < VEER_STACK_BASE + (uint64_t)VEER_STACK_SIZE;
        if (call->writes && call->depth < VEER_HOT->depth && !is_inner_local) return 1;
    }
    return 0;
}

/* Whether uninstrumented code called this function back: what it returns goes out of sight. */
int veer_is_called_back(void) {
    for (uint32_t k = 0; k < OPEN_CALLS->count; k++)
        if (OPEN_CALLS->of[k].depth < VEER_HOT->depth) return 1;
    return 0;
}

void veer_open_calls_begin(void) { OPEN_CALLS->count = 0; }
