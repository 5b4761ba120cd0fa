/* What each floating-point operator means. */
#ifndef ENGINE_FLOATS_H
#define ENGINE_FLOATS_H
#include <stdint.h>

uint64_t veer_apply_float(uint32_t op, uint32_t width, uint32_t operand_width, uint64_t a, uint64_t b);
#endif
