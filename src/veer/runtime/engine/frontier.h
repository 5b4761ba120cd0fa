/* The rung that goes through the leaves of a slice one after the other. */
#ifndef ENGINE_FRONTIER_H
#define ENGINE_FRONTIER_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_frontier(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
