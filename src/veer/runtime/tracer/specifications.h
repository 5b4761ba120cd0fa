/* How far the run is from a violation of a specification. */
#ifndef VEER_SPECIFICATIONS_H
#define VEER_SPECIFICATIONS_H
#include "places.h"
#include "veer_wire.h"

struct veer_specifications {
    uint8_t distances[VEER_MAX_SPECIFICATIONS]; /* of each, in events; 255 = not known */
    uint8_t distance;                           /* the least of them */
};
VEER_STATE_FITS(specifications);
#define SPECIFICATIONS VEER_STATE(specifications)

void veer_specifications_begin(void); /* a run begins */
#endif
