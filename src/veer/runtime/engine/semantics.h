/* What each operator means. */
#ifndef ENGINE_SEMANTICS_H
#define ENGINE_SEMANTICS_H
#include <stdint.h>

uint64_t veer_apply(uint32_t op, uint32_t width, uint32_t operand_width, uint64_t a, uint64_t b, uint64_t c);
uint32_t veer_operand_count(uint32_t op);
#endif
