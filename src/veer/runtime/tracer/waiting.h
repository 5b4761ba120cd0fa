/* Pointers that were made and are planned or decided before the entry is called (eager.c, settled.c). */
#ifndef VEER_WAITING_H
#define VEER_WAITING_H
#include "places.h"

#define VEER_MAX_WAITING 1024u

struct veer_waiting {
    uint32_t is_eager; /* pointers that are made now are planned before the call (eager.c) */
    uint32_t settles;  /* pointers that are made now are decided before the call (settled.c) */
    uint32_t holder;   /* the object that is being filled: index + 1 into INPUT_OBJECTS, 0 = the roots are being made */
    uint32_t count;
    uint32_t leaves[VEER_MAX_WAITING];
};
VEER_STATE_FITS(waiting);
#define WAITING VEER_STATE(waiting)

void veer_waiting_begin(void);
void veer_wait_for_plan(uint32_t leaf);
int veer_is_root_pointer(uint32_t leaf);
#endif
