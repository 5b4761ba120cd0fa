/* What a compiler calls to multiply complex numbers (C11 annex G.5.1): the plain formula, and after two NaNs the cases with infinities;
   its own library's results, but for the payload of NaNs. Division stays the library's: implementations differ in the last bits. */
#include <math.h>

static double boxed(double x) { return __builtin_copysign(isinf(x) ? 1.0 : 0.0, x); }

static double without_nan(double x) { return isnan(x) ? __builtin_copysign(0.0, x) : x; }

/* (a + bi) * (c + di) once the plain formula has given two NaNs; `overflows`: one of its products is infinite. */
static double _Complex recovered_product(double _Complex plain, double a, double b, double c, double d, int overflows) {
    int recalculate = 0;
    if (isinf(a) || isinf(b)) {
        a = boxed(a), b = boxed(b), c = without_nan(c), d = without_nan(d);
        recalculate = 1;
    }
    if (isinf(c) || isinf(d)) {
        c = boxed(c), d = boxed(d), a = without_nan(a), b = without_nan(b);
        recalculate = 1;
    }
    if (!recalculate && overflows) {
        a = without_nan(a), b = without_nan(b), c = without_nan(c), d = without_nan(d);
        recalculate = 1;
    }
    return recalculate ? __builtin_complex(INFINITY * (a * c - b * d), INFINITY * (a * d + b * c)) : plain;
}

double _Complex veer_libc___muldc3(double a, double b, double c, double d) {
    double ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    double _Complex plain = __builtin_complex(ac - bd, ad + bc);
    if (!isnan(__real__ plain) || !isnan(__imag__ plain)) return plain;
    return recovered_product(plain, a, b, c, d, isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc));
}

float _Complex veer_libc___mulsc3(float a, float b, float c, float d) {
    float ac = a * c, bd = b * d, ad = a * d, bc = b * c;
    float _Complex plain = __builtin_complex(ac - bd, ad + bc);
    if (!isnan(__real__ plain) || !isnan(__imag__ plain)) return plain;
    return (float _Complex)recovered_product(plain, a, b, c, d, isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc));
}
