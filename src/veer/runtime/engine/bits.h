/* Numbers of 1 to 64 bits. */
#ifndef ENGINE_BITS_H
#define ENGINE_BITS_H
#include <stdint.h>

static inline uint64_t mask_of(uint32_t width)
{
    return width >= 64 ? ~0ull : (1ull << width) - 1;
}

static inline uint64_t sign_bit(uint32_t width)
{
    return 1ull << (width - 1);
}

static inline int64_t sign_extend(uint64_t value, uint32_t width)
{
    return (int64_t)(value << (64 - width)) >> (64 - width);
}
#endif
