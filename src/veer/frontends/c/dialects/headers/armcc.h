/* The ARM compiler of Keil MDK (armcc): its keywords and intrinsics on the host. */
#ifndef VEER_ARMCC_H
#define VEER_ARMCC_H
#include "arm_core.h"
#define __irq
#define __fiq
#define __forceinline __inline__ __attribute__((always_inline))
#define __weak __attribute__((weak))
#define __packed __attribute__((packed))
#define __align(bytes) __attribute__((aligned(bytes)))
#define __pure
#define __value_in_regs
#define __svc(number)
#define __swi(number)
#define __int64 long long
#define __declspec(what) VEER_DECLSPEC_##what
#define VEER_DECLSPEC_noreturn __attribute__((noreturn))
#define VEER_DECLSPEC_nothrow
#define __nop() __NOP()
#define __wfi() __WFI()
#define __wfe() __WFE()
#define __sev() __SEV()
#define __isb(option) __ISB()
#define __dsb(option) __DSB()
#define __dmb(option) __DMB()
#define __schedule_barrier() ((void)0)
#define __memory_changed() __sync_synchronize()
#define __force_stores() __sync_synchronize()
#define __breakpoint(value) __BKPT(value)
#define __clz(value) __CLZ(value)
#define __rev(value) __REV(value)
#define __rbit(value) __RBIT(value)
#define __ror(value, by) __ROR(value, by)
#define __ssat(value, bits) __SSAT(value, bits)
#define __usat(value, bits) __USAT(value, bits)
#define __qadd(a, b) __QADD(a, b)
#define __qsub(a, b) __QSUB(a, b)
#define __clrex() __CLREX()
#define __ldrex(place) (host_core_exclusive = 1, *(place))
#define __strex(value, place) __STREXW((value), (volatile host_u32 *)(place))
#endif
