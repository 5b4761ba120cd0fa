/* After OSMOSE's "square 4x4": the same question of sixteen numbers. */
#define SIDE 4
#include "square3.c"
