/* SDCC (8051, Z80, STM8, PIC): its keywords on the host. */
#ifndef VEER_SDCC_H
#define VEER_SDCC_H
#include "bits.h"
#define __SDCC 4
#define SDCC 400
#define __SDCC_mcs51 1
#define __data
#define __idata
#define __pdata
#define __xdata
#define __code const
#define __near
#define __far
#define __bit _Bool
#define __reentrant
#define __critical
#define __naked
#define __banked
#define __trap
#define __nooverlay
#define __shadowregs
#define __wparam
#define __preserves_regs(...)
#define __sdcccall(version)
#define __interrupt(...)
#define __using(bank)
#define __at(address)
#define __sfr volatile unsigned char
#define __sfr16 volatile unsigned short
#define __sfr32 volatile unsigned int
#define __sbit volatile _Bool
#define __nop__ ((void)0)
#endif
