/* Floating point as the machine computes it: float and double travel as their bits; conversions out of range give what
   x86-64 gives (the integer indefinite value). */
#include "floats.h"
#include "bits.h"
#include "veer_wire.h"
#include <emmintrin.h>
#include <string.h>

static double to_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint64_t from_double(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float to_float(uint64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

static uint64_t from_float(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* Rounding to an integer. From 2^52 on every double is one; below, adding 2^52 rounds to the nearest even one. */
static double integral(uint32_t op, double x)
{
    double size = to_double(from_double(x) & mask_of(63)), shift = 4503599627370496.0;
    if (!(size < shift))
        return x + 0.0; /* also a NaN, which becomes quiet */
    volatile double sum = size + shift; /* not to be simplified */
    double nearest = sum - shift, below = nearest > size ? nearest - 1 : nearest;
    int is_negative = (int)(from_double(x) >> 63);
    switch (op) {
    case VEER_OP_FFLOOR: nearest = is_negative && below < size ? below + 1 : below; break;
    case VEER_OP_FCEIL: nearest = !is_negative && below < size ? below + 1 : below; break;
    case VEER_OP_FTRUNC: nearest = below; break;
    case VEER_OP_FROUND: nearest = size - below >= 0.5 ? below + 1 : below; break;
    default: break;
    }
    return to_double(from_double(nearest) | (from_double(x) & sign_bit(64)));
}

/* The integer `mantissa` with value == mantissa * 2^*exponent, for a finite value without its sign. */
static uint64_t split(uint64_t bits, int *exponent)
{
    int biased = (int)(bits >> 52 & 0x7ff);
    uint64_t fraction = bits & mask_of(52);
    *exponent = (biased ? biased : 1) - 1075;
    return biased ? fraction | 1ull << 52 : fraction;
}

/* C's fmod, exact: the remainder of the mantissas by long division. */
static double remainder_of(double x, double y)
{
    if (x != x || y != y || y == 0 || x - x != 0)
        return (x * y) / (x * y);
    if (y - y != 0)
        return x;
    int exponent_x, exponent_y;
    uint64_t bits = from_double(x), rest = split(bits & mask_of(63), &exponent_x);
    uint64_t divisor = split(from_double(y) & mask_of(63), &exponent_y);
    if (exponent_x < exponent_y)
        return x; /* y is normal, so that |x| < |y| */
    rest %= divisor;
    for (int i = exponent_x - exponent_y; i > 0 && rest; i--) {
        rest <<= 1;
        if (rest >= divisor)
            rest -= divisor;
    }
    double scale =
        exponent_y < -1022 ? to_double(1ull << (exponent_y + 1074)) : to_double((uint64_t)(exponent_y + 1023) << 52);
    double result = (double)rest * scale;
    return to_double(from_double(result) | (bits & sign_bit(64)));
}

static uint64_t arithmetic_double(uint32_t op, double a, double b)
{
    switch (op) {
    case VEER_OP_FADD: return from_double(a + b);
    case VEER_OP_FSUB: return from_double(a - b);
    case VEER_OP_FMUL: return from_double(a * b);
    case VEER_OP_FDIV: return from_double(a / b);
    case VEER_OP_FREM: return from_double(remainder_of(a, b));
    case VEER_OP_FRINT:
    case VEER_OP_FFLOOR:
    case VEER_OP_FCEIL:
    case VEER_OP_FTRUNC:
    case VEER_OP_FROUND: return from_double(integral(op, a));
    case VEER_OP_FSQRT: return from_double(_mm_cvtsd_f64(_mm_sqrt_sd(_mm_set_sd(a), _mm_set_sd(a))));
    case VEER_OP_FOEQ: return a == b;
    case VEER_OP_FOLT: return a < b;
    case VEER_OP_FOLE: return a <= b;
    case VEER_OP_FUNO: return a != a || b != b;
    default: return 0;
    }
}

static uint64_t arithmetic_float(uint32_t op, float a, float b)
{
    switch (op) {
    case VEER_OP_FADD: return from_float(a + b);
    case VEER_OP_FSUB: return from_float(a - b);
    case VEER_OP_FMUL: return from_float(a * b);
    case VEER_OP_FDIV: return from_float(a / b);
    case VEER_OP_FREM: return from_float((float)remainder_of((double)a, (double)b));
    case VEER_OP_FRINT:
    case VEER_OP_FFLOOR:
    case VEER_OP_FCEIL:
    case VEER_OP_FTRUNC:
    case VEER_OP_FROUND: return from_float((float)integral(op, (double)a));
    case VEER_OP_FSQRT: return from_float(_mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(a))));
    default: return arithmetic_double(op, (double)a, (double)b);
    }
}

/* cvttsd2si: 32 or 64 bits; widths below 32 are the low bits of the 32-bit conversion. */
static uint64_t to_signed(double value, uint32_t width)
{
    if (width <= 32)
        return value > -2147483649.0 && value < 2147483648.0 ? (uint64_t)(int64_t)(int32_t)value : 0x80000000ull;
    return value >= -9223372036854775808.0 && value < 9223372036854775808.0 ? (uint64_t)(int64_t)value : 1ull << 63;
}

/* What LLVM emits for x86-64: 64-bit signed conversions, two of them for 64 bits. */
static uint64_t to_unsigned(double value, uint32_t width)
{
    if (width <= 16)
        return to_signed(value, 32);
    uint64_t small = to_signed(value, 64);
    if (width <= 32)
        return small;
    uint64_t big = to_signed(value - 9223372036854775808.0, 64);
    return small | (big & (uint64_t)((int64_t)small >> 63));
}

static uint64_t convert(uint32_t op, uint32_t width, uint32_t from, uint64_t a)
{
    uint64_t mask = mask_of(width);
    double value = from == 32 ? (double)to_float(a) : to_double(a);
    switch (op) {
    case VEER_OP_FPTOSI: return to_signed(value, width) & mask;
    case VEER_OP_FPTOUI: return to_unsigned(value, width) & mask;
    case VEER_OP_SITOFP:
        return width == 32 ? from_float((float)sign_extend(a, from)) : from_double((double)sign_extend(a, from));
    case VEER_OP_UITOFP: return width == 32 ? from_float((float)a) : from_double((double)a);
    case VEER_OP_FPEXT: return width == from ? a : from_double((double)to_float(a));
    default: return width == from ? a : from_float((float)to_double(a));
    }
}

uint64_t veer_apply_float(uint32_t op, uint32_t width, uint32_t operand_width, uint64_t a, uint64_t b)
{
    if (op == VEER_OP_FNEG)
        return a ^ sign_bit(width);
    if (op == VEER_OP_FABS)
        return a & ~sign_bit(width);
    if (op >= VEER_OP_FPTOSI && op <= VEER_OP_FPTRUNC)
        return convert(op, width, operand_width, a);
    if (operand_width == 32)
        return arithmetic_float(op, to_float(a), to_float(b));
    return arithmetic_double(op, to_double(a), to_double(b));
}
