/* What the instructions of an ARM core do, as C functions on the host: the names that CMSIS gives them.

   None of these has a branch of C: a branch here would be one of the user's. What the core itself holds is called host_core_NAME,
   so that veer does not take it for data of the unit. No interrupt comes between LDREX and STREX. */
#ifndef VEER_ARM_CORE_H
#define VEER_ARM_CORE_H

#define VEER_CORE static __inline__ __attribute__((unused))
typedef __INT8_TYPE__ host_i8;
typedef __INT16_TYPE__ host_i16;
typedef __INT32_TYPE__ host_i32;
typedef __INT64_TYPE__ host_i64;
typedef __UINT8_TYPE__ host_u8;
typedef __UINT16_TYPE__ host_u16;
typedef __UINT32_TYPE__ host_u32;
typedef __UINT64_TYPE__ host_u64;

/* `chosen` where the condition is 1, `other` where it is 0. */
#define VEER_CHOOSE(condition, chosen, other) (((chosen) & -(host_i64)(condition)) | ((other) & ((host_i64)(condition) - 1)))

/* ---- hints, barriers ---- */
#define __NOP() ((void)0)
#define __WFI() ((void)0)
#define __WFE() ((void)0)
#define __SEV() ((void)0)
#define __ISB() __sync_synchronize()
#define __DSB() __sync_synchronize()
#define __DMB() __sync_synchronize()
#define __BKPT(value) __builtin_trap()

/* ---- bits and bytes of words ---- */
VEER_CORE host_u8 __CLZ(host_u32 value) { return (host_u8)__builtin_clzll((host_u64)value << 32 | 0x80000000u); }
VEER_CORE host_u32 __REV(host_u32 value) { return __builtin_bswap32(value); }
VEER_CORE host_u32 __REV16(host_u32 value) { return (value >> 8 & 0x00ff00ffu) | (value & 0x00ff00ffu) << 8; }
VEER_CORE host_i16 __REVSH(host_i16 value) { return (host_i16)__builtin_bswap16((host_u16)value); }
VEER_CORE host_u32 __ROR(host_u32 value, host_u32 by) { return value >> (by & 31) | value << (-by & 31); }
VEER_CORE host_u32 __RBIT(host_u32 value)
{
    value = (value >> 1 & 0x55555555u) | (value & 0x55555555u) << 1;
    value = (value >> 2 & 0x33333333u) | (value & 0x33333333u) << 2;
    value = (value >> 4 & 0x0f0f0f0fu) | (value & 0x0f0f0f0fu) << 4;
    return __builtin_bswap32(value);
}

/* ---- saturation; the flag Q of APSR says that one has happened ---- */
static host_u32 host_core_apsr;
VEER_CORE host_i64 host_within(host_i64 value, host_i64 least, host_i64 most)
{
    host_i64 low = VEER_CHOOSE(value < least, least, value), kept = VEER_CHOOSE(low > most, most, low);
    host_core_apsr |= (host_u32)(kept != value) << 27;
    return kept;
}
VEER_CORE host_i32 host_ssat(host_i64 value, host_u32 bits)
{
    return (host_i32)host_within(value, -((host_i64)1 << (bits - 1)), ((host_i64)1 << (bits - 1)) - 1);
}
VEER_CORE host_u32 host_usat(host_i64 value, host_u32 bits) { return (host_u32)host_within(value, 0, ((host_i64)1 << bits) - 1); }
#define __SSAT(value, bits) host_ssat((host_i32)(value), (bits))
#define __USAT(value, bits) host_usat((host_i32)(value), (bits))
VEER_CORE host_i32 __QADD(host_i32 a, host_i32 b) { return host_ssat((host_i64)a + b, 32); }
VEER_CORE host_i32 __QSUB(host_i32 a, host_i32 b) { return host_ssat((host_i64)a - b, 32); }

/* ---- exclusive access ---- */
static host_u32 host_core_exclusive;
VEER_CORE void __CLREX(void) { host_core_exclusive = 0; }
#define VEER_EXCLUSIVE(letter, type)                                                                                             \
    VEER_CORE type __LDREX##letter(volatile type *place) { host_core_exclusive = 1; return *place; }                                   \
    VEER_CORE host_u32 __STREX##letter(type value, volatile type *place)                                                          \
    {                                                                                                                            \
        host_u32 fails = !host_core_exclusive;                                                                                         \
        *place = (type)VEER_CHOOSE(host_core_exclusive, value, *place);                                                                \
        host_core_exclusive = 0;                                                                                                      \
        return fails;                                                                                                            \
    }
VEER_EXCLUSIVE(B, host_u8)
VEER_EXCLUSIVE(H, host_u16)
VEER_EXCLUSIVE(W, host_u32)

/* ---- the core's registers ----
   What one holds at the beginning is what core_NAME() says, which is defined nowhere: an input. */
struct host_register {
    host_u32 value, is_known;
};
#define VEER_REGISTER(NAME, name, mask)                                                                                          \
    host_u32 core_##name(void);                                                                                                  \
    static struct host_register host_core_##name;                                                                      \
    VEER_CORE host_u32 __get_##NAME(void)                                                                                         \
    {                                                                                                                            \
        host_u32 first = core_##name() & (mask), known = host_core_##name.is_known;                                                 \
        host_core_##name.value = (host_u32)VEER_CHOOSE(known, host_core_##name.value, first);                                         \
        host_core_##name.is_known = 1;                                                                                             \
        return host_core_##name.value;                                                                                             \
    }                                                                                                                            \
    VEER_CORE void __set_##NAME(host_u32 value)                                                                                   \
    {                                                                                                                            \
        host_core_##name.value = value & (mask);                                                                                    \
        host_core_##name.is_known = 1;                                                                                             \
    }
VEER_REGISTER(PRIMASK, primask, 1)
VEER_REGISTER(FAULTMASK, faultmask, 1)
VEER_REGISTER(BASEPRI, basepri, 0xff)
VEER_REGISTER(CONTROL, control, 7)
VEER_REGISTER(IPSR, ipsr, 0x1ff)
VEER_REGISTER(MSP, msp, 0xfffffffcu)
VEER_REGISTER(PSP, psp, 0xfffffffcu)
VEER_REGISTER(FPSCR, fpscr, 0xffffffffu)
VEER_CORE host_u32 __get_APSR(void) { return host_core_apsr; }
VEER_CORE host_u32 __get_xPSR(void) { return host_core_apsr | __get_IPSR(); }
VEER_CORE void __disable_irq(void) { __set_PRIMASK(1); }
VEER_CORE void __enable_irq(void) { __set_PRIMASK(0); }
VEER_CORE void __disable_fault_irq(void) { __set_FAULTMASK(1); }
VEER_CORE void __enable_fault_irq(void) { __set_FAULTMASK(0); }
#endif
