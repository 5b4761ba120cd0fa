/* The simplifier's rules for extensions, extractions and concatenations. */
#ifndef ENGINE_SIMPLIFY_BITS_H
#define ENGINE_SIMPLIFY_BITS_H
#include <stdint.h>

uint32_t veer_simplify_extract(uint32_t width, uint32_t a, uint32_t low_bit);
uint32_t veer_simplify_concat(uint32_t high, uint32_t low);
uint32_t veer_simplify_extend(uint32_t op, uint32_t width, uint32_t a);
uint32_t veer_simplify_masked(uint32_t op, uint32_t width, uint32_t a, uint64_t constant);
uint32_t veer_simplify_disjoint(uint32_t width, uint32_t a, uint32_t b);
#endif
