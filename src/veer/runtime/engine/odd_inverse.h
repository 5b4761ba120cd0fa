/* Inverses modulo 2^64. */
#ifndef ENGINE_ODD_INVERSE_H
#define ENGINE_ODD_INVERSE_H
#include <stdint.h>

/* The inverse of an odd number modulo 2^64 (Newton). */
static inline uint64_t odd_inverse(uint64_t odd)
{
    uint64_t inverse = odd;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - odd * inverse;
    return inverse;
}
#endif
