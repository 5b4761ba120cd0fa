/* Quotient and remainder of 128 bits. */
#ifndef ENGINE_DIVISION_H
#define ENGINE_DIVISION_H
unsigned __int128 veer_divide(unsigned __int128 dividend, unsigned __int128 divisor, unsigned __int128 *rest);
#endif
