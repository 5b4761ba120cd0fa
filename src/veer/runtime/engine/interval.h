/* The rung for a literal over one wide leaf. */
#ifndef ENGINE_INTERVAL_H
#define ENGINE_INTERVAL_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_interval(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t length);
#endif
