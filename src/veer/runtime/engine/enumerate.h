/* The rung that tries all values of few leaves. */
#ifndef ENGINE_ENUMERATE_H
#define ENGINE_ENUMERATE_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_enumerate(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
