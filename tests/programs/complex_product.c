// entry: product
// input: double re: -60.0 -2.0 0.0 2.0 3.0 60.0
// input: double im: -60.0 -1.0 0.0 1.0 4.0 60.0
// claim: any
// about: products of complex numbers, parts of complex floats that functions return
#include <complex.h>
static float complex made(float re, float im) { return re + im * I; }
int product(double re, double im) {
    if (!(re > -50.0 && re < 50.0 && im > -50.0 && im < 50.0))
        return 0;
    double complex z = re + im * I;
    double complex square = z * z;
    if (creal(square) == 3.0)
        return cimag(square) > 0 ? 1 : 2;
    float complex small = made((float)re, 2.0f);
    return crealf(small) == 2.0f ? cimagf(conjf(small)) == -2.0f : 3;
}
