/* The simplifier's rules for comparisons. */
#ifndef ENGINE_SIMPLIFY_COMPARE_H
#define ENGINE_SIMPLIFY_COMPARE_H
#include <stdint.h>

uint32_t veer_simplify_equal(uint32_t a, uint32_t b);
uint32_t veer_simplify_below(uint32_t op, uint32_t a, uint32_t b);
#endif
