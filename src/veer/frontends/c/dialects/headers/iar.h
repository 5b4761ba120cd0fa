/* IAR's compilers (ARM, AVR, MSP430, 8051): their keywords and intrinsics on the host. */
#ifndef VEER_IAR_H
#define VEER_IAR_H
#include "arm_core.h"
#define __interrupt
#define __monitor
#define __nested
#define __task
#define __irq
#define __fiq
#define __arm
#define __thumb
#define __interwork
#define __intrinsic
#define __ramfunc
#define __root __attribute__((used))
#define __no_init
#define __no_alloc
#define __noreturn __attribute__((noreturn))
#define __weak __attribute__((weak))
#define __packed __attribute__((packed))
#define __stackless
#define __raw
#define __flash
#define __farflash
#define __hugeflash
#define __eeprom
#define __tiny
#define __near
#define __far
#define __huge
#define __generic
#define __data16
#define __data20
#define __regvar
#define __io volatile
#define __bit _Bool
#define __sfr
#define __IAR_SYSTEMS_ICC__ 9
#define __xdata
#define __idata
#define __pdata
#define __data
#define __code
#define __near_func
#define __far_func
#define __banked_func
#define __no_bit_access
typedef host_u32 __istate_t;
#define __disable_interrupt() __disable_irq()
#define __enable_interrupt() __enable_irq()
VEER_CORE __istate_t __get_interrupt_state(void) { return __get_PRIMASK(); }
VEER_CORE void __set_interrupt_state(__istate_t state) { __set_PRIMASK(state); }
#define __no_operation() ((void)0)
#define __delay_cycles(count) ((void)(count))
#define __sleep() ((void)0)
#define __watchdog_reset() ((void)0)
#define __low_power_mode_0() ((void)0)
#define __low_power_mode_1() ((void)0)
#define __low_power_mode_2() ((void)0)
#define __low_power_mode_3() ((void)0)
#define __low_power_mode_4() ((void)0)
#define __low_power_mode_off_on_exit() ((void)0)
#define __bis_SR_register(bits) ((void)(bits))
#define __bic_SR_register(bits) ((void)(bits))
#define __bis_SR_register_on_exit(bits) ((void)(bits))
#define __bic_SR_register_on_exit(bits) ((void)(bits))
#define __even_in_range(value, most) (value)
#define __LDREX(place) __LDREXW((volatile host_u32 *)(place))
#define __STREX(value, place) __STREXW((value), (volatile host_u32 *)(place))
#define __swap_nibbles(value) ((unsigned char)((unsigned char)(value) >> 4 | (unsigned char)(value) << 4))
#endif
