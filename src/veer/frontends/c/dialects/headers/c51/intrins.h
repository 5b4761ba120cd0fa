/* Keil's intrins.h on the host: rotations, a test of a bit that clears it. */
#ifndef VEER_INTRINS_H
#define VEER_INTRINS_H
#define _nop_() ((void)0)
#define _crol_(value, by) ((unsigned char)((unsigned char)(value) << ((by) & 7) | (unsigned char)(value) >> (-(by) & 7)))
#define _cror_(value, by) ((unsigned char)((unsigned char)(value) >> ((by) & 7) | (unsigned char)(value) << (-(by) & 7)))
#define _irol_(value, by) ((unsigned short)((unsigned short)(value) << ((by) & 15) | (unsigned short)(value) >> (-(by) & 15)))
#define _iror_(value, by) ((unsigned short)((unsigned short)(value) >> ((by) & 15) | (unsigned short)(value) << (-(by) & 15)))
#define _testbit_(bit) (__extension__({ _Bool was = (bit); (bit) = 0; was; }))
#endif
