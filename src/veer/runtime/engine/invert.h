/* The rung that turns the comparison round. */
#ifndef ENGINE_INVERT_H
#define ENGINE_INVERT_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_invert(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
