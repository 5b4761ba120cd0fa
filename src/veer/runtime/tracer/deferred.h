/* Numbers that are read where a byte of them is used. */
#ifndef VEER_DEFERRED_H
#define VEER_DEFERRED_H
#include <stdint.h>

#include "places.h"

enum { VEER_MOST_DEFERRED = 16 }; /* of a run */

struct veer_deferred {
    uint32_t count;
    struct {
        uint64_t value; /* where it is found when it was read */
        uint64_t read;  /* the function that reads it */
        uint32_t site;  /* of the call that read its text */
        uint32_t is_read;
    } of[VEER_MOST_DEFERRED];
};
VEER_STATE_FITS(deferred);
#define DEFERRED VEER_STATE(deferred)

void veer_deferred_begin(void);
void veer_read_deferred(uint64_t address, uint64_t size);
#endif
