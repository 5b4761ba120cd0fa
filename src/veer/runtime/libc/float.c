/* Floating-point numbers from text. The syntax is read here, so that each character keeps its constraints; so is a value that one
   rounding gives exactly (Clinger, "How to read floating point numbers accurately", PLDI 1990, section 3: few digits and a small power
   of ten). Any other value is the machine's, and concrete. */
#include <errno.h>
#include <math.h>

#include "libc.h"

/* The machine's strtod under names that veer knows to write nothing (tracer/library.c). */
extern double __strtod_internal(const char *text, char **end, int group);
extern float __strtof_internal(const char *text, char **end, int group);

enum { EXACT_DIGITS = 15, EXACT_POWER = 22, EXACT_FLOAT_DIGITS = 7, EXACT_FLOAT_POWER = 10, MOST_DIGITS = 18, MOST_EXPONENT = 99999 };
enum form { NOTHING, DECIMAL, INFINITE, NOT_A_NUMBER, OTHER };

/* A number as it is written: digits * 10^exponent. */
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

static int is_digit(char c) { return c >= '0' && c <= '9'; }

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

/* Digits with at most one point among them; a point alone is no number. */
static const char *read_digits(const char *s, struct number *number) {
    int has_point = 0;
    for (;; s++) {
        if (is_digit(*s)) {
            if (number->digit_count++ < MOST_DIGITS) number->digits = 10 * number->digits + (unsigned long long)(*s - '0');
            if (has_point) number->exponent--;
        } else if (*s == '.' && !has_point) {
            has_point = 1;
        } else {
            return s;
        }
    }
}

static const char *read_exponent(const char *s, struct number *number) {
    const char *start = s;
    long exponent = 0;
    if (*s != 'e' && *s != 'E') return s;
    int is_negative = *++s == '-';
    if (*s == '-' || *s == '+') s++;
    if (!is_digit(*s)) return start;
    for (; is_digit(*s); s++)
        if (exponent <= MOST_EXPONENT) exponent = 10 * exponent + (*s - '0');
    number->exponent += is_negative ? -exponent : exponent;
    return s;
}

/* The end of a hexadecimal number after its prefix, NULL if there are no digits. */
static const char *behind_hexadecimal(const char *s) {
    int digits = 0, has_point = 0;
    for (;; s++) {
        if (*s == '.' && !has_point) has_point = 1;
        else if (veer_libc_isxdigit((unsigned char)*s)) digits++;
        else break;
    }
    if (digits == 0) return NULL;
    if (*s != 'p' && *s != 'P') return s;
    int sign = s[1] == '-' || s[1] == '+';
    if (!is_digit(s[1 + sign])) return s;
    for (s += 1 + sign; is_digit(*s); s++) {}
    return s;
}

static struct number read(const char *text) {
    struct number number = {.form = NOTHING, .end = text};
    const char *s = text, *end;
    while (veer_libc_isspace((unsigned char)*s)) s++;
    if (*s == '-' || *s == '+') number.is_negative = *s++ == '-';
    if (s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && (end = behind_hexadecimal(s + 2))) {
        number.form = OTHER;
        number.end = end;
    } else if (is_digit(*s) || (*s == '.' && is_digit(s[1]))) {
        number.form = DECIMAL;
        number.end = read_exponent(read_digits(s, &number), &number);
    } else if (begins_with(s, "inf")) {
        number.form = INFINITE;
        number.end = s + (begins_with(s + 3, "inity") ? 8 : 3);
    } else if (begins_with(s, "nan")) {
        number.end = behind_nan(s + 3);
        number.form = number.end == s + 3 ? NOT_A_NUMBER : OTHER;
    }
    return number;
}

/* Whether digits and power of ten are both exact in a format with that many of each: then so is one operation on them. */
static int is_exact(const struct number *number, int digits, int power) {
    return number->form == DECIMAL && number->digit_count <= digits && number->exponent >= -power && number->exponent <= power;
}

double veer_libc_strtod(const char *text, char **end) {
    struct number number = read(text);
    double value = 0;
    if (end) *end = (char *)number.end;
    if (number.form == NOTHING) return 0;
    if (number.form == INFINITE) value = INFINITY;
    else if (number.form == NOT_A_NUMBER) value = NAN;
    else if (!is_exact(&number, EXACT_DIGITS, EXACT_POWER)) return __strtod_internal(text, NULL, 0);
    else value = number.exponent < 0 ? (double)number.digits / powers[-number.exponent] : (double)number.digits * powers[number.exponent];
    return number.is_negative ? -value : value;
}

float veer_libc_strtof(const char *text, char **end) {
    struct number number = read(text);
    float value = 0;
    if (end) *end = (char *)number.end;
    if (number.form == NOTHING) return 0;
    if (number.form == INFINITE) value = INFINITY;
    else if (number.form == NOT_A_NUMBER) value = NAN;
    else if (!is_exact(&number, EXACT_FLOAT_DIGITS, EXACT_FLOAT_POWER)) return __strtof_internal(text, NULL, 0);
    else if (number.exponent < 0) value = (float)number.digits / (float)powers[-number.exponent];
    else value = (float)number.digits * (float)powers[number.exponent];
    return number.is_negative ? -value : value;
}

double veer_libc_atof(const char *text) { return veer_libc_strtod(text, NULL); }
