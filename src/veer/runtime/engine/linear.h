/* The rung for sums and differences. */
#ifndef ENGINE_LINEAR_H
#define ENGINE_LINEAR_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_linear(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
