/* Numbers from text, small arithmetic, pseudo-random numbers. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "libc.h"

/* A number as it is written. `most`: no number of so many digits is greater, so that who compares with more need not ask. */
struct written {
    unsigned long long value, most;
    int is_negative, is_too_much;
};

/* The part that all strto* share: blanks, sign, base prefix, digits. */
static struct written parse(const char *text, char **end, int base) {
    const char *s = text, *digits;
    struct written number = {0};
    if ((unsigned)base > 36 || base == 1) {
        errno = EINVAL;
        return number;
    }
    while (veer_libc_isspace((unsigned char)*s)) s++;
    if (*s == '-' || *s == '+') number.is_negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && veer_digit_of(s[2]) < 16) {
        s += 2;
        base = 16;
    }
    if (base == 0) base = *s == '0' ? 8 : 10;
    for (digits = s;; s++) {
        /* Decimal and octal digits are sums, which are solved for more easily than table entries are. */
        unsigned digit = base <= 10 ? (unsigned char)(*s - '0') : (unsigned)veer_digit_of(*s);
        if (digit >= (unsigned)base) break;
        if (number.most > (ULLONG_MAX - (unsigned)(base - 1)) / (unsigned)base) number.most = ULLONG_MAX;
        else number.most = number.most * (unsigned)base + (unsigned)(base - 1);
        if (number.most == ULLONG_MAX && number.value > (ULLONG_MAX - digit) / (unsigned)base) number.is_too_much = 1;
        else number.value = number.value * (unsigned)base + digit;
    }
    if (end) *end = (char *)(s == digits ? text : s);
    if (number.is_too_much) errno = ERANGE;
    return number;
}

long long veer_libc_strtoll(const char *text, char **end, int base) {
    struct written number = parse(text, end, base);
    unsigned long long most = number.is_negative ? (unsigned long long)LLONG_MAX + 1 : LLONG_MAX;
    if (number.is_too_much || (number.most > most && number.value > most)) {
        errno = ERANGE;
        return number.is_negative ? LLONG_MIN : LLONG_MAX;
    }
    return (long long)(number.is_negative ? 0 - number.value : number.value);
}

unsigned long long veer_libc_strtoull(const char *text, char **end, int base) {
    struct written number = parse(text, end, base);
    if (number.is_too_much) return ULLONG_MAX;
    return number.is_negative ? 0 - number.value : number.value;
}

long veer_libc_strtol(const char *text, char **end, int base) { return veer_libc_strtoll(text, end, base); }
unsigned long veer_libc_strtoul(const char *text, char **end, int base) { return veer_libc_strtoull(text, end, base); }
long long veer_libc_strtoimax(const char *text, char **end, int base) { return veer_libc_strtoll(text, end, base); }
unsigned long long veer_libc_strtoumax(const char *text, char **end, int base) { return veer_libc_strtoull(text, end, base); }
int veer_libc_atoi(const char *text) { return (int)veer_libc_strtoll(text, NULL, 10); }
long veer_libc_atol(const char *text) { return veer_libc_strtoll(text, NULL, 10); }
long long veer_libc_atoll(const char *text) { return veer_libc_strtoll(text, NULL, 10); }

int veer_libc_abs(int x) { return x < 0 ? -x : x; }
long veer_libc_labs(long x) { return x < 0 ? -x : x; }
long long veer_libc_llabs(long long x) { return x < 0 ? -x : x; }

long veer_libc_imaxabs(long x) { return x < 0 ? -x : x; }

div_t veer_libc_div(int x, int y) { return (div_t){x / y, x % y}; }
ldiv_t veer_libc_ldiv(long x, long y) { return (ldiv_t){x / y, x % y}; }
lldiv_t veer_libc_lldiv(long long x, long long y) { return (lldiv_t){x / y, x % y}; }
