/* Operands and results of the slow paths of arithmetic. */
#ifndef VEER_VALUES_H
#define VEER_VALUES_H
#include <stdint.h>

uint32_t veer_operand(uint32_t width, uint32_t shadow, uint64_t value);
uint32_t veer_result_shadow(uint32_t expression);
#endif
