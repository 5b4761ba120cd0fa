#ifndef VEER_ENGINE_FUSED_H
#define VEER_ENGINE_FUSED_H
#include <stdint.h>

/* Bits of a * b + c, rounded once; of 32 or 64 bits. */
uint64_t veer_fused(uint32_t width, uint64_t a, uint64_t b, uint64_t c);
#endif
