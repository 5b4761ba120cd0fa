/* Floating-point numbers from text. The syntax is read here, so that each character keeps its constraints; so is a value that one
   rounding gives exactly (Clinger, "How to read floating point numbers accurately", PLDI 1990, section 3: few digits and a small power
   of ten), a float of few digits and any power, and hexadecimal digits that a double holds. Any other value is the machine's, and
   concrete; so is all of a concrete text. */
#include <errno.h>
#include <float.h>
#include <math.h>

#include "libc.h"

/* The machine's strtod under names that veer knows to write nothing (tracer/library.c). */
extern double __strtod_internal(const char *text, char **end, int group);
extern float __strtof_internal(const char *text, char **end, int group);

enum { MOST_DIGITS = 15, MOST_EXPONENT = 99999 };
enum form { NOTHING, DECIMAL, HEXADECIMAL, INFINITE, NOT_A_NUMBER, OTHER };

/* A number as it is written: digits * 10^exponent, hexadecimal digits * 2^exponent. */
struct number {
    enum form form;
    int is_negative;
    int digit_count; /* leading zeros are digits, too; more than MOST_DIGITS: `digits` is not all */
    unsigned long long digits;
    long exponent;
    const char *end;
};

static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static int is_digit(char c) { return (unsigned char)(c - '0') < 10; }

/* Whether the text begins with a word of small letters, in any case. */
static int begins_with(const char *text, const char *word) {
    while (*word && veer_libc_tolower((unsigned char)*text) == *word) text++, word++;
    return !*word;
}

/* What follows "nan": a word in parentheses belongs to it. */
static const char *behind_nan(const char *s) {
    const char *end = s;
    if (*s != '(') return s;
    do end++;
    while (is_digit(*end) || (veer_libc_tolower((unsigned char)*end) >= 'a' && veer_libc_tolower((unsigned char)*end) <= 'z') || *end == '_');
    return *end == ')' ? end + 1 : s;
}

/* Digits with at most one point among them; each behind the point takes `step` off the exponent. */
static const char *read_digits(const char *s, int base, int step, struct number *number) {
    int has_point = 0;
    for (;; s++) {
        int digit = veer_digit_of(*s);
        if (digit < base) {
            if (number->digit_count++ < MOST_DIGITS) number->digits = (unsigned)base * number->digits + (unsigned)digit;
            if (has_point) number->exponent -= step;
        } else if (*s == '.' && !has_point) {
            has_point = 1;
        } else {
            return s;
        }
    }
}

/* The exponent behind its letter, which is none when no digits follow. */
static const char *read_exponent(const char *s, char letter, struct number *number) {
    const char *start = s;
    long exponent = 0;
    if (veer_libc_tolower((unsigned char)*s) != letter) return s;
    int is_negative = *++s == '-';
    if (*s == '-' || *s == '+') s++;
    if (!is_digit(*s)) return start;
    for (; is_digit(*s); s++)
        if (exponent <= MOST_EXPONENT) exponent = 10 * exponent + (*s - '0');
    number->exponent += is_negative ? -exponent : exponent;
    return s;
}

/* Whether hexadecimal digits begin at a digit: one, or a point and one. The x comes first: without one, 0 is a digit as any other. */
static int begins_hexadecimal(const char *s) {
    return (s[1] | 32) == 'x' && s[0] == '0' && veer_digit_of(s[2] == '.' ? s[3] : s[2]) < 16;
}

static struct number read(const char *text) {
    struct number number = {.form = NOTHING, .end = text};
    const char *s = text;
    while (veer_libc_isspace((unsigned char)*s)) s++;
    if (*s == '-' || *s == '+') number.is_negative = *s++ == '-';
    int begins_with_digit = is_digit(*s);
    if (begins_with_digit && begins_hexadecimal(s)) {
        number.form = HEXADECIMAL;
        number.end = read_exponent(read_digits(s + 2, 16, 4, &number), 'p', &number);
    } else if (begins_with_digit || (*s == '.' && is_digit(s[1]))) {
        number.form = DECIMAL;
        number.end = read_exponent(read_digits(s, 10, 1, &number), 'e', &number);
    } else if (begins_with(s, "inf")) {
        number.form = INFINITE;
        number.end = s + (begins_with(s + 3, "inity") ? 8 : 3);
    } else if (begins_with(s, "nan")) {
        number.end = behind_nan(s + 3);
        number.form = number.end == s + 3 ? NOT_A_NUMBER : OTHER;
    }
    return number;
}

/* What a format holds exactly: decimal digits and the power of ten, hexadecimal digits and a power of two that stays normal; and the
   powers of ten and two from which on any digits that are kept but zero are too much, or nothing. */
struct limits {
    int digits, power, hexadecimal_digits, binary_power, too_much, nothing, binary_too_much, binary_nothing;
};

static const struct limits of_double = {15, 22, 13, 60, 309, -341, 1024, -1127}, of_float = {7, 10, 6, 60, 39, -61, 128, -210};
/* Digits that a double holds, and decimal ones with which double arithmetic gives the right float for every power in its range: tried for
   each of them (docs/decisions/0322). */
enum { HEXADECIMAL_DIGITS = 13, FLOAT_DIGITS = 6 };

/* Whether digits and power are both exact: then one operation on them rounds once. */
static int is_exact(const struct number *number, const struct limits *most) {
    int is_decimal = number->form == DECIMAL;
    long power = is_decimal ? most->power : most->binary_power;
    return number->digit_count <= (is_decimal ? most->digits : most->hexadecimal_digits) && number->exponent >= -power && number->exponent <= power;
}

/* The power of ten or two by which the digits are multiplied, or divided when the exponent is negative. */
static double scale_of(const struct number *number) {
    long power = number->exponent < 0 ? -number->exponent : number->exponent;
    return number->form == DECIMAL ? powers[power] : (double)(1ull << power);
}

/* Zeros, and what is out of range whatever its digits are, told as other forms. */
static void settle(struct number *number, const struct limits *most) {
    int is_decimal = number->form == DECIMAL, all_digits = number->digit_count <= (is_decimal ? MOST_DIGITS : HEXADECIMAL_DIGITS);
    int too_much = is_decimal ? most->too_much : most->binary_too_much, nothing = is_decimal ? most->nothing : most->binary_nothing;
    if ((!is_decimal && number->form != HEXADECIMAL) || !all_digits || is_exact(number, most)) return;
    if (number->digits != 0) {
        if (number->exponent > nothing && number->exponent < too_much) return;
        if (number->exponent > 0) number->form = INFINITE;
        errno = ERANGE;
    }
    number->digits = 0;
    number->digit_count = 0;
    number->exponent = 0;
}

/* digits * 10^exponent in double arithmetic, in one step or a few. */
static double decimal_value(const struct number *number) {
    double value = (double)number->digits;
    long power = number->exponent;
    for (; power > 22; power -= 22) value *= 1e22;
    for (; power < -22; power += 22) value /= 1e22;
    return power < 0 ? value / powers[-power] : value * powers[power];
}

static double power_of_two(long power) {
    union {
        unsigned long long bits;
        double value;
    } made = {.bits = (unsigned long long)(power + 1023) << 52};
    return made.value;
}

/* digits * 2^exponent: the first step is exact, so that it is rounded once. */
static double hexadecimal_value(const struct number *number) {
    long half = number->exponent / 2;
    double part = (double)number->digits * power_of_two(half), scale = power_of_two(number->exponent - half), value = part * scale;
    if (value > DBL_MAX || (value < DBL_MIN && value / scale != part)) errno = ERANGE;
    return value;
}

/* A float of a double, with errno as strtof has it. */
static float narrowed(double value) {
    float result = (float)value;
    if (result > FLT_MAX || (result < FLT_MIN && (double)result != value)) errno = ERANGE;
    return result;
}

/* Whether double arithmetic gives the float, though the float's own does not. */
static int is_float_of_double(const struct number *number) {
    return number->digit_count <= (number->form == DECIMAL ? FLOAT_DIGITS : HEXADECIMAL_DIGITS);
}

double veer_libc_strtod(const char *text, char **end) {
    double value = 0;
    long length = veer_read_double(text, &value);
    if (length >= 0) {
        if (end) *end = (char *)text + length;
        return value;
    }
    struct number number = read(text);
    settle(&number, &of_double);
    if (end) *end = (char *)number.end;
    if (number.form == NOTHING) return 0;
    if (number.form == INFINITE) value = INFINITY;
    else if (number.form == NOT_A_NUMBER) value = NAN;
    else if (number.form == OTHER) return __strtod_internal(text, NULL, 0);
    else if (!is_exact(&number, &of_double)) {
        if (number.form == DECIMAL || number.digit_count > HEXADECIMAL_DIGITS) return __strtod_internal(text, NULL, 0);
        value = hexadecimal_value(&number);
    } else if (number.exponent < 0) value = (double)number.digits / scale_of(&number);
    else value = (double)number.digits * scale_of(&number);
    return number.is_negative ? -value : value;
}

float veer_libc_strtof(const char *text, char **end) {
    float value = 0;
    long length = veer_read_float(text, &value);
    if (length >= 0) {
        if (end) *end = (char *)text + length;
        return value;
    }
    struct number number = read(text);
    settle(&number, &of_float);
    if (end) *end = (char *)number.end;
    if (number.form == NOTHING) return 0;
    if (number.form == INFINITE) value = INFINITY;
    else if (number.form == NOT_A_NUMBER) value = NAN;
    else if (number.form == OTHER) return __strtof_internal(text, NULL, 0);
    else if (!is_exact(&number, &of_float)) {
        if (!is_float_of_double(&number)) return __strtof_internal(text, NULL, 0);
        value = narrowed(number.form == DECIMAL ? decimal_value(&number) : hexadecimal_value(&number));
    } else if (number.exponent < 0) value = (float)number.digits / (float)scale_of(&number);
    else value = (float)number.digits * (float)scale_of(&number);
    return number.is_negative ? -value : value;
}

double veer_libc_atof(const char *text) { return veer_libc_strtod(text, NULL); }
