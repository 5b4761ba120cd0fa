/* Division of 128 bits by subtraction and shift. The compiler's own (__udivti3) comes in one object with memcpy, memset and
   the like, which then take the place of the machine's faster ones in every executor; a fault in one of those would look
   like one of the unit's. */
#include "division.h"

/* The place of the highest set bit; the value is not 0. */
static int top_bit(unsigned __int128 value)
{
    uint64_t high = (uint64_t)(value >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((uint64_t)value);
}

/* The quotient; *rest is the remainder. By zero as SMT-LIB has it: all ones, and the dividend. */
unsigned __int128 veer_divide(unsigned __int128 dividend, unsigned __int128 divisor, unsigned __int128 *rest)
{
    unsigned __int128 quotient = 0;
    *rest = dividend;
    if (divisor == 0)
        return ~quotient;
    if (dividend < divisor)
        return 0;
    if (dividend >> 64 == 0) { /* and so is the divisor */
        *rest = (uint64_t)dividend % (uint64_t)divisor;
        return (uint64_t)dividend / (uint64_t)divisor;
    }
    for (int place = top_bit(dividend) - top_bit(divisor); place >= 0; place--) {
        unsigned __int128 part = divisor << place;
        if (*rest < part)
            continue;
        *rest -= part;
        quotient |= (unsigned __int128)1 << place;
    }
    return quotient;
}

__int128 veer_divide_down(__int128 a, int64_t b)
{
    if (b == 1)
        return a;
    int is_negative = (a < 0) != (b < 0);
    unsigned __int128 rest, size = a < 0 ? 0 - (unsigned __int128)a : (unsigned __int128)a;
    uint64_t divisor = b < 0 ? 0 - (uint64_t)b : (uint64_t)b;
    __int128 quotient = (__int128)veer_divide(size, divisor, &rest);
    return is_negative ? -quotient - (rest != 0) : quotient;
}

__int128 veer_divide_up(__int128 a, int64_t b)
{
    return -veer_divide_down(-a, b);
}
