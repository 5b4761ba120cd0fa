/* The ladder. */
#ifndef ENGINE_LADDER_H
#define ENGINE_LADDER_H
#include "places.h"
#include "verdict.h"

struct ladder_state {
    uint64_t clock; /* when what is timed now began */
};
ENGINE_STATE_FITS(ladder);
#define LADDER ENGINE_STATE(ladder)

enum verdict veer_ladder(uint32_t literal, uint32_t want, const uint8_t *parent, uint32_t parent_length, uint8_t *input,
                         uint32_t *length);
#endif
