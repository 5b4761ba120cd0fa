/* Mathematics whose result IEEE 754 fixes to the bit, in operations that a solver understands. What is not exact (exp, sin, pow, ...)
   stays the machine's own; rounding, copysign, fmin and fmax are instructions, for the compiler makes no calls of them. */
#include <errno.h>
#include <math.h>

#define ALL_INTEGERS 0x1p52 /* from here on, every double is an integer */

union image {
    double value;
    unsigned long long bits;
};

static int biased_exponent(double x) { return (int)((union image){x}.bits >> 52 & 0x7ff); }

static int is_finite(double x) { return biased_exponent(x) != 0x7ff; }

double veer_libc_sqrt(double x) {
    if (x < 0) errno = EDOM;
    return __builtin_sqrt(x);
}

float veer_libc_sqrtf(float x) {
    if (x < 0) errno = EDOM;
    return __builtin_sqrtf(x);
}

/* Whether a remainder of x by y has no value though neither is a NaN. */
static int has_no_remainder(double x, double y) { return x == x && y == y && (y == 0 || !is_finite(x)); }

double veer_libc_fmod(double x, double y) {
    if (has_no_remainder(x, y)) errno = EDOM;
    return __builtin_fmod(x, y);
}

float veer_libc_fmodf(float x, float y) {
    if (has_no_remainder((double)x, (double)y)) errno = EDOM;
    return __builtin_fmodf(x, y);
}

double veer_libc_fdim(double x, double y) {
    if (x <= y) return 0;
    double difference = x - y;
    if (!is_finite(difference) && is_finite(x) && is_finite(y)) errno = ERANGE;
    return difference;
}

/* A fraction of magnitude 0.5 .. 1 and a power of two; zeros, infinities and NaN come back with 0. */
double veer_libc_frexp(double x, int *exponent) {
    int shift = 0;
    *exponent = 0;
    if (x == 0 || !is_finite(x)) return x + x;
    if (biased_exponent(x) == 0) x *= 0x1p54, shift = 54;
    *exponent = biased_exponent(x) - 1022 - shift;
    union image made = {x};
    made.bits = (made.bits & ~(0x7ffull << 52)) | 1022ull << 52;
    return made.value;
}

float veer_libc_frexpf(float x, int *exponent) { return (float)veer_libc_frexp((double)x, exponent); }

/* x * 2^n, rounded once: all steps but the last keep the result normal. */
double veer_libc_scalbln(double x, long n) {
    int power;
    if (x == 0 || !is_finite(x)) return x + x;
    double fraction = veer_libc_frexp(x, &power);
    n = n > 5000 ? 5000 : n < -5000 ? -5000 : n;
    power += (int)n;
    union image scale;
    if (power > 1024 || power < -1080) {
        errno = ERANGE;
        return power > 0 ? fraction * 0x1p1023 * 0x1p1023 : fraction * 0x1p-1022 * 0x1p-1022;
    }
    if (power >= -1021) {
        scale.bits = (unsigned long long)(power - 1 + 1023) << 52;
        return 2 * fraction * scale.value;
    }
    scale.bits = (unsigned long long)(power + 1022 - 1 + 1023) << 52;
    x = 2 * fraction * scale.value * 0x1p-1022;
    if (x == 0) errno = ERANGE;
    return x;
}

double veer_libc_scalbn(double x, int n) { return veer_libc_scalbln(x, n); }
double veer_libc_ldexp(double x, int n) { return veer_libc_scalbln(x, n); }

/* Halves go away from zero. What does not fit gives what the machine's conversion gives. */
long veer_libc_lround(double x) {
    if (!(__builtin_fabs(x) < ALL_INTEGERS)) return (long)x;
    long whole = (long)x;
    double rest = x - (double)whole;
    return whole + (rest >= 0.5) - (rest <= -0.5);
}

/* Halves go to the even neighbour: the sum has no room for a fraction. */
long veer_libc_lrint(double x) {
    if (!(__builtin_fabs(x) < ALL_INTEGERS)) return (long)x;
    return x < 0 ? -(long)((ALL_INTEGERS - x) - ALL_INTEGERS) : (long)((ALL_INTEGERS + x) - ALL_INTEGERS);
}

long veer_libc_lroundf(float x) { return veer_libc_lround((double)x); }
long veer_libc_lrintf(float x) { return veer_libc_lrint((double)x); }
long long veer_libc_llround(double x) { return veer_libc_lround(x); }
long long veer_libc_llrint(double x) { return veer_libc_lrint(x); }
long long veer_libc_llroundf(float x) { return veer_libc_lround((double)x); }
long long veer_libc_llrintf(float x) { return veer_libc_lrint((double)x); }

int veer_libc_ilogb(double x) {
    int exponent;
    if (x == 0 || !is_finite(x)) {
        errno = EDOM;
        return x == 0 || x != x ? FP_ILOGB0 : 2147483647;
    }
    veer_libc_frexp(x, &exponent);
    return exponent - 1;
}
