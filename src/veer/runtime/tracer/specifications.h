/* What the monitors of specifications hold: how far the run is from a violation. */
#ifndef VEER_SPECIFICATIONS_H
#define VEER_SPECIFICATIONS_H
#include "places.h"
#include "veer_wire.h"

struct veer_specifications {
    uint8_t distances[VEER_MAX_SPECIFICATIONS];  /* of each to a violation, in events; 255 = not known */
    uint8_t states[VEER_MAX_SPECIFICATIONS];     /* of each, what tells its registers' contents apart from most others */
    uint16_t registers[VEER_MAX_SPECIFICATIONS]; /* of each, what they hold, or one of the numbers below */
    uint32_t count;                              /* of those that this run has come to: their numbers are smaller */
    uint16_t watched;                            /* the least distance, and a number for all states << 8 */
};
/* As they begin; a bit is symbolic, or there are too many. */
enum { REGISTERS_FIRST = 0xffff, REGISTERS_UNKNOWN = 0xfffe };
VEER_STATE_FITS(specifications);
#define SPECIFICATIONS VEER_STATE(specifications)

void veer_specifications_begin(void); /* a run begins */
#endif
