/* Forward ranges of floating-point operations. */
#ifndef ENGINE_FLOAT_RANGES_H
#define ENGINE_FLOAT_RANGES_H
#include "veer_wire.h"

struct range;

int veer_float_range(const struct veer_node *node, const struct range *given, struct range *range);
#endif
