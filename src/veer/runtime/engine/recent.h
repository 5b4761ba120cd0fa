/* The rung that tries the last inputs. */
#ifndef ENGINE_RECENT_H
#define ENGINE_RECENT_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_recent(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
