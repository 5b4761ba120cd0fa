/* The hash of all hash tables. */
#ifndef ENGINE_HASH_H
#define ENGINE_HASH_H
#include "veer_wire.h"

static inline uint64_t mix(uint64_t low, uint64_t high)
{
    uint64_t hash = (low ^ (high * 0xc2b2ae3d27d4eb4full + (high >> 29))) * VEER_HASH_MULTIPLIER;
    return hash ^ (hash >> 32);
}
#endif
