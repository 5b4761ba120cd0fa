/* Numbers from text, small arithmetic, pseudo-random numbers. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "libc.h"

/* The value of a character as a digit, or 36. */
int veer_digit_of(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 36;
}

/* The part that all strto* share: blanks, sign, base prefix, digits. The magnitude sticks at ULLONG_MAX when it overflows. */
static unsigned long long parse(const char *text, char **end, int base, int *negative, int *overflow) {
    const char *s = text, *digits;
    unsigned long long value = 0;
    *overflow = *negative = 0;
    while (veer_libc_isspace((unsigned char)*s)) s++;
    if (*s == '-' || *s == '+') *negative = *s++ == '-';
    if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && veer_digit_of(s[2]) < 16) {
        s += 2;
        base = 16;
    }
    if (base == 0) base = *s == '0' ? 8 : 10;
    for (digits = s; veer_digit_of(*s) < base; s++) {
        unsigned long long digit = (unsigned long long)veer_digit_of(*s);
        if (value > (ULLONG_MAX - digit) / (unsigned)base) *overflow = 1;
        else value = value * (unsigned)base + digit;
    }
    if (end) *end = (char *)(s == digits ? text : s);
    if (*overflow) value = ULLONG_MAX;
    return value;
}

long long veer_libc_strtoll(const char *text, char **end, int base) {
    int negative, overflow;
    unsigned long long value = parse(text, end, base, &negative, &overflow);
    unsigned long long most = negative ? (unsigned long long)LLONG_MAX + 1 : LLONG_MAX;
    if (overflow || value > most) {
        errno = ERANGE;
        return negative ? LLONG_MIN : LLONG_MAX;
    }
    return (long long)(negative ? 0 - value : value);
}

unsigned long long veer_libc_strtoull(const char *text, char **end, int base) {
    int negative, overflow;
    unsigned long long value = parse(text, end, base, &negative, &overflow);
    if (overflow) {
        errno = ERANGE;
        return ULLONG_MAX;
    }
    return negative ? 0 - value : value;
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

/* Own state, restored before each run like any global: the same run draws the same numbers. */
static unsigned long long random_state = 1;

void veer_libc_srand(unsigned seed) { random_state = seed; }
void veer_libc_srandom(unsigned seed) { random_state = seed; }

int veer_libc_rand(void) {
    random_state = random_state * 6364136223846793005ull + 1442695040888963407ull;
    return (int)(random_state >> 33);
}

long veer_libc_random(void) { return veer_libc_rand(); }

int veer_libc_rand_r(unsigned *seed) {
    *seed = *seed * 1103515245u + 12345u;
    return (int)(*seed >> 1 & 0x7fffffff);
}
