/* SDCC's compiler.h on the host: macros that declare registers, interrupts and bits for several compilers. */
#ifndef VEER_COMPILER_H
#define VEER_COMPILER_H
#define SBIT(name, addr, bit) __sbit __at (addr + bit) name
#define SFR(name, addr) __sfr __at (addr) name
#define SFRX(name, addr) __xdata volatile unsigned char __at (addr) name
#define SFR16(name, addr) __sfr16 __at (addr) name
#define SFR16E(name, addr) __sfr16 __at (addr) name
#define SFR16LEX(name, addr) __xdata volatile unsigned short __at (addr) name
#define SFR32(name, addr) __sfr32 __at (addr) name
#define SFR32E(name, addr) __sfr32 __at (addr) name
#define INTERRUPT(name, vector) void name(void) __interrupt(vector)
#define INTERRUPT_USING(name, vector, bank) void name(void) __interrupt(vector) __using(bank)
#define NOP() ((void)0)
#endif
