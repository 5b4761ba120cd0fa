/* Quotient and remainder of 128 bits. */
#ifndef ENGINE_DIVISION_H
#define ENGINE_DIVISION_H
#include <stdint.h>

unsigned __int128 veer_divide(unsigned __int128 dividend, unsigned __int128 divisor, unsigned __int128 *rest);
/* a / b, rounded down, and up. */
__int128 veer_divide_down(__int128 a, int64_t b);
__int128 veer_divide_up(__int128 a, int64_t b);
#endif
