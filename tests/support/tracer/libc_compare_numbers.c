/* strtod, strtof and exact mathematics of veer's own libc against the machine's; prints each difference. */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "libc_compare.h"
#include "concrete_numbers.h"

double veer_libc_strtod(const char *, char **);
float veer_libc_strtof(const char *, char **);

static void compare_text(const char *text) {
    char *end, *expected_end;
    errno = 0;
    double value = veer_libc_strtod(text, &end);
    int error = errno;
    errno = 0;
    double expected = strtod(text, &expected_end);
    if (!same_double(value, expected) || end != expected_end || error != errno)
        failures++, printf("strtod(\"%s\") = %a end %d errno %d, not %a %d %d\n", text, value, (int)(end - text), error, expected,
                           (int)(expected_end - text), errno);
    errno = 0;
    float narrow = veer_libc_strtof(text, &end);
    error = errno;
    errno = 0;
    float expected_narrow = strtof(text, &expected_end);
    if (!same_double((double)narrow, (double)expected_narrow) || end != expected_end || error != errno)
        failures++, printf("strtof(\"%s\") = %a end %d errno %d, not %a %d %d\n", text, (double)narrow, (int)(end - text), error,
                           (double)expected_narrow, (int)(expected_end - text), errno);
}

/* A text that is nearly a number. */
static void fill_number(char *text) {
    static const char *const heads[] = {"", "", "", "", "-", "+", " ", "\t-", "0x", "-0X", "0", ".", NULL};
    static const char *const tails[] = {"", "", "", "e5", "e-5", "E+22", "e23", "e-22", "e-23", "e308", "e-320", "e", "e+", "e99999999999999999999",
                                        "p3", "p99", "p-99", "p-149", "p-160", "p120", "p-202", "p-230", "p1000", "p-1030", "p-1100", "p-1127", "p-1074", ".", "x", "f", "e-400", "e10", "e-10", "e11", "e309", "e-341", "e-340", "e38", "e39",
                                        "e-60", "e-61", NULL};
    static const char *const alphabets[] = {"0123456789", "0123456789.", "05", "19.", "0123456789abcdef.", NULL};
    const char *alphabet = pick(alphabets);
    unsigned length = draw(8) ? draw(10) : draw(40), letters = (unsigned)strlen(alphabet);
    strcpy(text, pick(heads));
    char *end = text + strlen(text);
    for (unsigned k = 0; k < length; k++) *end++ = alphabet[draw(letters)];
    strcpy(end, pick(tails));
}

static const char *const texts[] = {
    "", " ", "+", "-", ".", "-.", "e5", ".e5", "0", "-0", "0e0", "0.0", "00.00e-9", "1.", ".5", "1e", "1e+", "inf", "INFINITY", "-infinit", "infi",
    "+nan", "nan(", "nan(12_aZ)", "nan(-)", "NaN()x", "0x", "0x.", "0x.p1", "0x1p", "0x1p+", "0x1.8p1", "0xg", "0x1.fffffffffffff8p1023",
    "1.7976931348623157e308", "1.7976931348623159e308", "2.2250738585072011e-308", "4.9e-324", "2.4e-324", "9007199254740993", "123456789012345",
    "1234567890123456", "999999999999999e22", "1e22", "1e23", "8388609e10", "16777217", "33554435", "7038531e-32", "703853e-32", "999999e38", "999999e-51", "1e-44", "9999999e10", "9999999e-10", "1e-45", "3.4028236e38",
    "0.000000000000000000000000000001", "100000000000000000000000000000000000000", "1e400", "-1e400", "1e-400", "  12  ", "1,5", "1.5.5", "1e5e5", NULL};

double veer_libc_sqrt(double), veer_libc_fmod(double, double), veer_libc_fdim(double, double);
double veer_libc_frexp(double, int *), veer_libc_ldexp(double, int), veer_libc_scalbln(double, long);
float veer_libc_sqrtf(float), veer_libc_fmodf(float, float), veer_libc_frexpf(float, int *);
long veer_libc_lround(double), veer_libc_lrint(double), veer_libc_lroundf(float), veer_libc_lrintf(float);
int veer_libc_ilogb(double);

static double draw_double(void) {
    static const double edges[] = {0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370495.5, 4503599627370496.0, 9007199254740993.0,
                                   9.3e18, -9.3e18, INFINITY, -INFINITY, NAN, 0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023, 3, -3, 1e300, 0x1p-1023};
    uint64_t bits = draw_bits();
    double value;
    if (draw(3) == 0) return edges[draw(sizeof edges / sizeof *edges)];
    if (draw(2)) return (double)((int)draw(2000) - 1000) / 4;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static int own_error;
#define CHECK(NAME, OWN, MACHINE, WITH_ERRNO)                                                                                       \
    do {                                                                                                                             \
        errno = 0;                                                                                                                   \
        double own = (double)(OWN);                                                                                                  \
        own_error = errno, errno = 0;                                                                                                \
        double machine = (double)(MACHINE);                                                                                          \
        if (!same_double(own, machine) || (WITH_ERRNO && own_error != errno))                                                        \
            failures++, printf(NAME "(%a, %a, %d) = %a errno %d, not %a errno %d\n", x, y, n, own, own_error, machine, errno);      \
    } while (0)

static void compare_mathematics(void) {
    double x = draw_double(), y = draw_double();
    int n = draw(2) ? (int)draw(200) - 100 : (int)draw(6000) - 3000, power = 0, expected = 0;
    CHECK("sqrt", veer_libc_sqrt(x), sqrt(x), 1);
    CHECK("sqrtf", veer_libc_sqrtf((float)x), sqrtf((float)x), 1);
    CHECK("fmod", veer_libc_fmod(x, y), fmod(x, y), 1);
    CHECK("fmodf", veer_libc_fmodf((float)x, (float)y), fmodf((float)x, (float)y), 1);
    CHECK("fdim", veer_libc_fdim(x, y), fdim(x, y), 1);
    CHECK("ldexp", veer_libc_ldexp(x, n), ldexp(x, n), 1);
    CHECK("scalbln", veer_libc_scalbln(x, n), scalbln(x, n), 1);
    CHECK("frexp", veer_libc_frexp(x, &power), frexp(x, &expected), 1);
    CHECK("frexp's exponent", power, expected, 0);
    CHECK("lround", veer_libc_lround(x), lround(x), 0);
    CHECK("lrint", veer_libc_lrint(x), lrint(x), 0);
    CHECK("lroundf", veer_libc_lroundf((float)x), lroundf((float)x), 0);
    CHECK("lrintf", veer_libc_lrintf((float)x), lrintf((float)x), 0);
    CHECK("ilogb", veer_libc_ilogb(x), ilogb(x), 1);
}

int main(void) {
    char text[128];
    for (const char *const *each = texts; *each; each++) compare_text(*each);
    for (int round = 0; round < 200000; round++) {
        fill_number(text);
        compare_text(text);
        compare_mathematics();
    }
    return failures != 0;
}
