/* Forward ranges of expressions, and the rung that answers with them. */
#ifndef ENGINE_RANGES_H
#define ENGINE_RANGES_H
#include "range.h"
#include "verdict.h"

int veer_ranges_build(const uint32_t *roots, uint32_t count);
struct range veer_range_of(uint32_t expression);
void veer_signed_hull(uint32_t expression, __int128 *least, __int128 *greatest);
enum verdict veer_rung_ranges(uint32_t literal, uint32_t want, uint8_t *input, uint32_t length);
#endif
