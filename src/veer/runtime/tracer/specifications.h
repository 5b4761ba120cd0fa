/* What the monitors of specifications hold: how far the run is from a violation. */
#ifndef VEER_SPECIFICATIONS_H
#define VEER_SPECIFICATIONS_H
#include "places.h"
#include "veer_wire.h"

struct veer_specifications {
    uint8_t distances[VEER_MAX_SPECIFICATIONS];  /* of each to a violation, in events; 255 = not known */
    uint8_t states[VEER_MAX_SPECIFICATIONS];     /* of each, what tells its registers' contents apart from most others */
    uint16_t registers[VEER_MAX_SPECIFICATIONS]; /* of each, what they hold as far as it is known, or one of the numbers below */
    uint16_t bits[VEER_MAX_SPECIFICATIONS];      /* of each, what they hold in this run */
    uint32_t count;                              /* of those that this run has come to: their numbers are smaller */
    uint16_t watched;                            /* the least distance, and a number for all states << 8 */
};
/* As they begin; a bit is symbolic, and there are more than IN_PART, or too many. Of a few it is told which bits are symbolic: 1 << (count + k) for
   bit k, which itself counts as 0. */
enum { REGISTERS_FIRST = 0xffff, REGISTERS_UNKNOWN = 0xfffe, IN_PART = 4 };
VEER_STATE_FITS(specifications);
#define SPECIFICATIONS VEER_STATE(specifications)

void veer_specifications_begin(void); /* a run begins */
#endif
