/* The rung for two narrow leaves. */
#ifndef ENGINE_PAIRS_H
#define ENGINE_PAIRS_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_pairs(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
