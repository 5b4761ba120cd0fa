/* Bits of registers and variables, as the compilers for the 8051 name them. */
#ifndef VEER_BITS_H
#define VEER_BITS_H
struct host_bits {
    _Bool b0 : 1, b1 : 1, b2 : 1, b3 : 1, b4 : 1, b5 : 1, b6 : 1, b7 : 1;
};
#define VEER_SFR(address) (*(volatile unsigned char *)(address))
/* Bit `number` of the object `byte`: a place that can be read and written. */
#define VEER_BIT(byte, number) (((volatile struct host_bits *)&(byte))->b##number)
#endif
