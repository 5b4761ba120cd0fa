/* Bounds of expressions that the slice's comparisons with constants give. */
#ifndef ENGINE_BOUNDS_H
#define ENGINE_BOUNDS_H
#include "range.h"
#include <stdint.h>

void veer_bounds_collect(void);
struct range veer_bounds_narrow(uint32_t at, struct range range);
#endif
