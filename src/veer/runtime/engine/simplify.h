/* The simplifier. */
#ifndef ENGINE_SIMPLIFY_H
#define ENGINE_SIMPLIFY_H
#include <stdint.h>

uint32_t veer_simplify(uint32_t op, uint32_t width, uint32_t a, uint32_t b, uint32_t c);
#endif
