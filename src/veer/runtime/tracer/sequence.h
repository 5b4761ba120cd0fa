/* Call sequences: the objects that they work on. */
#ifndef VEER_SEQUENCE_H
#define VEER_SEQUENCE_H
#include "places.h"

#define VEER_MAX_POOL_OBJECTS 256u

/* An object that a call sequence works on: its address, the pool of its type, its number in the pool from 1 on. */
struct veer_pool_object {
    uint64_t address;
    uint16_t pool;
    uint16_t ended; /* a call has destroyed it: no other is made on it, and it holds nothing */
    uint32_t number;
};

struct veer_sequences {
    uint32_t count;
    uint32_t receiver; /* index of the object that the call under way was given first */
    struct veer_pool_object objects[VEER_MAX_POOL_OBJECTS];
};
VEER_STATE_FITS(sequences);
#define SEQUENCES VEER_STATE(sequences)

void veer_sequence_begin(void);
#endif
