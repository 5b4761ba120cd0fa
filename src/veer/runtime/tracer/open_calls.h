/* Calls of uninstrumented functions that have not returned yet. */
#ifndef VEER_OPEN_CALLS_H
#define VEER_OPEN_CALLS_H
#include "places.h"

#define VEER_MAX_OPEN_CALLS 256u

struct veer_open_call {
    uint32_t depth;
    uint32_t site;
    uint32_t count;
    uint32_t writes;
    uint32_t facts;
    int64_t steps;       /* budget at its beginning: less at its end means that it called back */
    uint64_t stack_mark; /* where locals of functions that it calls back begin */
    uint64_t values[VEER_MAX_ARGUMENTS];
};

struct veer_open_calls {
    uint32_t count;
    struct veer_open_call of[VEER_MAX_OPEN_CALLS];
};
VEER_STATE_FITS(open_calls);
#define OPEN_CALLS VEER_STATE(open_calls)

void veer_open_calls_begin(void);
int veer_may_be_overwritten(uint64_t address);
int veer_is_called_back(void);
#endif
