/* What the monitors of specifications hold: how far the run is from a violation. */
#ifndef VEER_SPECIFICATIONS_H
#define VEER_SPECIFICATIONS_H
#include "places.h"
#include "veer_wire.h"

struct veer_specifications {
    uint8_t distances[VEER_MAX_SPECIFICATIONS]; /* of each to a violation, in events; 255 = not known */
    uint8_t states[VEER_MAX_SPECIFICATIONS];    /* of each, what tells its registers' contents apart from most others */
    uint16_t watched;                           /* the least distance, and a number for all states << 8 */
};
VEER_STATE_FITS(specifications);
#define SPECIFICATIONS VEER_STATE(specifications)

void veer_specifications_begin(void); /* a run begins */
#endif
