/* The rung for a literal over one narrow leaf. */
#ifndef ENGINE_DOMAIN_H
#define ENGINE_DOMAIN_H
#include "verdict.h"
#include <stdint.h>

enum verdict veer_rung_domain(uint32_t literal, uint32_t want, uint32_t leaf, uint8_t *input, uint32_t length);
#endif
