/* The rung for comparisons between leaves. */
#ifndef ENGINE_ORDER_H
#define ENGINE_ORDER_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_order(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
