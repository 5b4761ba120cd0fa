/* CMSIS on the host: what its compiler headers give, in C. Their guards are defined, so that the project's own copies, which are
   written in the assembly of ARM, are left out; its core and device headers are read as they are. */
#ifndef VEER_CMSIS_H
#define VEER_CMSIS_H
#define __CMSIS_COMPILER_H
#define __CMSIS_GCC_H
#define __CMSIS_GCC_M_H
#define __CMSIS_ARMCC_H
#define __CMSIS_ARMCLANG_H
#define __CMSIS_CLANG_H
#define __CMSIS_ICCARM_H__
#define __CORE_CMINSTR_H
#define __CORE_CMFUNC_H
#define __CORE_CMSIMD_H
#include "arm_core.h"

#define __ASM __asm
#define __INLINE inline
#define __STATIC_INLINE static inline
#define __STATIC_FORCEINLINE static inline
#define __NO_RETURN __attribute__((noreturn))
#define __USED __attribute__((used))
#define __WEAK __attribute__((weak))
#define __PACKED __attribute__((packed, aligned(1)))
#define __PACKED_STRUCT struct __attribute__((packed, aligned(1)))
#define __PACKED_UNION union __attribute__((packed, aligned(1)))
#define __ALIGNED(bytes) __attribute__((aligned(bytes)))
#define __RESTRICT __restrict
#define __NO_INIT
#define __COMPILER_BARRIER() __asm volatile("" ::: "memory")
#define __I volatile const
#define __O volatile
#define __IO volatile
#define __IM volatile const
#define __OM volatile
#define __IOM volatile

#define VEER_UNALIGNED(bits)                                                                                                     \
    VEER_CORE host_u##bits __UNALIGNED_UINT##bits##_READ(const void *place)                                                       \
    {                                                                                                                            \
        host_u##bits value;                                                                                                      \
        __builtin_memcpy(&value, place, sizeof value);                                                                            \
        return value;                                                                                                            \
    }                                                                                                                            \
    VEER_CORE void __UNALIGNED_UINT##bits##_WRITE(void *place, host_u##bits value) { __builtin_memcpy(place, &value, sizeof value); }
VEER_UNALIGNED(16)
VEER_UNALIGNED(32)

/* Two halfwords in a word. */
#define __PKHBT(low, high, by) ((host_u32)(((host_u32)(low) & 0xffffu) | ((host_u32)(high) << (by) & 0xffff0000u)))
#define __PKHTB(high, low, by) ((host_u32)(((host_u32)(high) & 0xffff0000u) | ((host_u32)((host_i32)(low) >> (by)) & 0xffffu)))
VEER_CORE host_u32 __SMUAD(host_u32 a, host_u32 b)
{
    return (host_u32)((host_i16)a * (host_i16)b) + (host_u32)((host_i16)(a >> 16) * (host_i16)(b >> 16));
}
VEER_CORE host_u32 __SMLAD(host_u32 a, host_u32 b, host_u32 sum) { return __SMUAD(a, b) + sum; }
#endif
