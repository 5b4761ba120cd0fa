/* The random numbers of the mutation stage: xorshift64* (Marsaglia 2003, Vigna 2014). The state lies in the shared memory, so that a
   process that takes over goes on with them. */
#ifndef ENGINE_RANDOM_H
#define ENGINE_RANDOM_H
#include "veer_shared.h"

static inline uint64_t random_bits(void)
{
    uint64_t state = VEER_CONTROL->mutation_random;
    state ^= state >> 12;
    state ^= state << 25;
    state ^= state >> 27;
    VEER_CONTROL->mutation_random = state;
    return state * 0x2545f4914f6cdd1dull;
}

/* 0 .. end - 1; 0 where `end` is 0. */
static inline uint32_t random_below(uint32_t end)
{
    return (uint32_t)(((random_bits() >> 32) * end) >> 32);
}
#endif
