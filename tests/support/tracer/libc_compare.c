#define _GNU_SOURCE
/* veer's own libc, compiled plainly, against the machine's on pseudo-random input; prints each difference. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <search.h>
#include <strings.h>
#include <wctype.h>

#include "libc_compare.h"

void veer_overlaps(void) { abort(); }

#define OWN(RESULT, NAME, ...) RESULT veer_libc_##NAME(__VA_ARGS__);
OWN(size_t, strlen, const char *) OWN(size_t, strnlen, const char *, size_t) OWN(int, strcmp, const char *, const char *)
OWN(int, strncmp, const char *, const char *, size_t) OWN(int, strcasecmp, const char *, const char *)
OWN(int, strncasecmp, const char *, const char *, size_t) OWN(int, memcmp, const void *, const void *, size_t)
OWN(void *, memchr, const void *, int, size_t) OWN(char *, strchr, const char *, int) OWN(char *, strrchr, const char *, int)
OWN(char *, strstr, const char *, const char *) OWN(size_t, strspn, const char *, const char *)
OWN(size_t, strcspn, const char *, const char *) OWN(char *, strpbrk, const char *, const char *)
OWN(char *, strncpy, char *, const char *, size_t) OWN(char *, strncat, char *, const char *, size_t)
OWN(char *, strtok_r, char *, const char *, char **) OWN(long, strtol, const char *, char **, int)
OWN(unsigned long, strtoul, const char *, char **, int) OWN(int, atoi, const char *)
OWN(void *, memrchr, const void *, int, size_t) OWN(void *, memccpy, void *, const void *, int, size_t)
OWN(size_t, strlcpy, char *, const char *, size_t) OWN(size_t, strlcat, char *, const char *, size_t)
OWN(size_t, strxfrm, char *, const char *, size_t) OWN(char *, strcasestr, const char *, const char *)
OWN(char *, stpncpy, char *, const char *, size_t) OWN(char *, strsep, char **, const char *) OWN(char *, strchrnul, const char *, int)
OWN(void *, memmem, const void *, size_t, const void *, size_t) OWN(div_t, div, int, int) OWN(ldiv_t, ldiv, long, long)
OWN(void *, lfind, const void *, const void *, size_t *, size_t, int (*)(const void *, const void *))
OWN(void, qsort_r, void *, size_t, size_t, int (*)(const void *, const void *, void *), void *)
OWN(void, qsort, void *, size_t, size_t, int (*)(const void *, const void *))
OWN(void *, bsearch, const void *, const void *, size_t, size_t, int (*)(const void *, const void *))
#define CLASS(NAME) OWN(int, NAME, int)
#define CLASSES(DO) DO(isalpha) DO(isdigit) DO(isalnum) DO(isspace) DO(isupper) DO(islower) DO(isprint) DO(isgraph) DO(ispunct) \
    DO(iscntrl) DO(isxdigit) DO(isblank)
CLASSES(CLASS) CLASS(tolower) CLASS(toupper)
#define WIDE(DO) DO(alpha) DO(digit) DO(alnum) DO(space) DO(upper) DO(lower) DO(print) DO(graph) DO(punct) DO(cntrl) DO(xdigit) DO(blank)
#define WIDE_CLASS(NAME) OWN(int, isw##NAME, wint_t)
WIDE(WIDE_CLASS) OWN(wint_t, towlower, wint_t) OWN(wint_t, towupper, wint_t)

#define SAME(TEXT, A, B) ((A) == (B) ? 0 : (failures++, printf("%s: %lld, not %lld, on \"%s\" and \"%s\"\n", TEXT, (long long)(A), (long long)(B), a, b)))
static long offset(const void *found, const char *base) { return found ? (const char *)found - base : -1; }
static int sign(int x) { return (x > 0) - (x < 0); }

static void fill(char *text, const char *alphabet) {
    unsigned length = draw(12), letters = (unsigned)strlen(alphabet);
    for (unsigned k = 0; k < length; k++) text[k] = alphabet[draw(letters)];
    text[length] = 0;
}

static void compare_strings(const char *a, const char *b) {
    size_t n = draw(14);
    int c = b[0];
    SAME("strlen", veer_libc_strlen(a), strlen(a));
    SAME("strnlen", veer_libc_strnlen(a, n), strnlen(a, n));
    SAME("strcmp", sign(veer_libc_strcmp(a, b)), sign(strcmp(a, b)));
    SAME("strncmp", sign(veer_libc_strncmp(a, b, n)), sign(strncmp(a, b, n)));
    SAME("strcasecmp", sign(veer_libc_strcasecmp(a, b)), sign(strcasecmp(a, b)));
    SAME("strncasecmp", sign(veer_libc_strncasecmp(a, b, n)), sign(strncasecmp(a, b, n)));
    SAME("memcmp", sign(veer_libc_memcmp(a, b, 3)), sign(memcmp(a, b, 3)));
    SAME("memchr", (intptr_t)veer_libc_memchr(a, c, 10), (intptr_t)memchr(a, c, 10));
    SAME("strchr", (intptr_t)veer_libc_strchr(a, c), (intptr_t)strchr(a, c));
    SAME("strrchr", (intptr_t)veer_libc_strrchr(a, c), (intptr_t)strrchr(a, c));
    SAME("strstr", (intptr_t)veer_libc_strstr(a, b), (intptr_t)strstr(a, b));
    SAME("strspn", veer_libc_strspn(a, b), strspn(a, b));
    SAME("strcspn", veer_libc_strcspn(a, b), strcspn(a, b));
    SAME("strcasestr", (intptr_t)veer_libc_strcasestr(a, b), (intptr_t)strcasestr(a, b));
    SAME("strchrnul", (intptr_t)veer_libc_strchrnul(a, c), (intptr_t)strchrnul(a, c));
    SAME("memrchr", (intptr_t)veer_libc_memrchr(a, c, 10), (intptr_t)memrchr(a, c, 10));
    SAME("memmem", (intptr_t)veer_libc_memmem(a, 10, b, n % 4), (intptr_t)memmem(a, 10, b, n % 4));
    SAME("strpbrk", (intptr_t)veer_libc_strpbrk(a, b), (intptr_t)strpbrk(a, b));
}

static void compare_copies(const char *a, const char *b) {
    char x[40] = "ab", y[40] = "ab", *rest_x = x, *rest_y = y;
    size_t n = draw(14);
    veer_libc_strncat(x, a, n), strncat(y, a, n);
    SAME("strncat", memcmp(x, y, 40), 0);
    veer_libc_strncpy(x, a, n), strncpy(y, a, n);
    SAME("strncpy", memcmp(x, y, 40), 0);
    SAME("stpncpy", veer_libc_stpncpy(x, b, n) - x, stpncpy(y, b, n) - y);
    SAME("stpncpy's text", memcmp(x, y, 40), 0);
    SAME("strxfrm", veer_libc_strxfrm(x, a, 20), strxfrm(y, a, 20));
    SAME("memccpy", offset(veer_libc_memccpy(x, a, b[0], n), x), offset(memccpy(y, a, b[0], n), y));
    SAME("memccpy's text", memcmp(x, y, 40), 0);
    strcpy(x, a), rest_x = x, strcpy(y, a), rest_y = y;
    for (int k = 0; k < 3; k++) SAME("strsep", offset(veer_libc_strsep(&rest_x, b), x), offset(strsep(&rest_y, b), y));
    strcpy(x, a), strcpy(y, a);
    for (char *one = x, *other = y;; one = other = NULL) {
        char *token = veer_libc_strtok_r(one, b, &rest_x), *expected = strtok_r(other, b, &rest_y);
        SAME("strtok_r", token ? token - x : -1, expected ? expected - y : -1);
        if (!token || !expected) break;
    }
    SAME("strtok_r's text", memcmp(x, y, 12), 0);
}

static void compare_numbers(const char *a) {
    static const int bases[] = {0, 2, 8, 10, 16, 36, 37, 1};
    const char *b = "";
    for (unsigned k = 0; k < sizeof bases / sizeof *bases; k++) {
        char *end = NULL, *expected_end = NULL;
        errno = 0;
        long value = veer_libc_strtol(a, &end, bases[k]);
        int error = errno;
        errno = 0;
        SAME("strtol", value, strtol(a, &expected_end, bases[k]));
        SAME("strtol's errno", error, errno);
        SAME("strtol's end", (intptr_t)end, (intptr_t)expected_end);
        SAME("strtoul", veer_libc_strtoul(a, &end, bases[k]), strtoul(a, &expected_end, bases[k]));
    }
    SAME("atoi", veer_libc_atoi(a), atoi(a));
}

/* strlcpy and strlcat, which the machine may not have: snprintf says what they do. */
static void compare_bounded(const char *a, const char *b) {
    char x[40] = "ab", y[40] = "ab";
    size_t n = draw(14);
    SAME("strlcpy", veer_libc_strlcpy(x, a, n), (size_t)snprintf(y, n, "%s", a));
    SAME("strlcpy's text", strcmp(x, y), 0);
    size_t length = strnlen(x, n);
    SAME("strlcat", veer_libc_strlcat(x, b, n), length + (size_t)snprintf(y + length, n - length, "%s", b));
    SAME("strlcat's text", strcmp(x, y), 0);
    int p = (int)draw(2000) - 1000, q = (int)draw(50) + 1;
    SAME("div", veer_libc_div(p, q).quot * 100 + veer_libc_div(p, q).rem, div(p, q).quot * 100 + div(p, q).rem);
    SAME("ldiv", veer_libc_ldiv(p, q).quot * 100 + veer_libc_ldiv(p, q).rem, ldiv(p, q).quot * 100 + ldiv(p, q).rem);
}

/* Orders by the upper four bits, so that stability shows. */
static int by_upper(const void *x, const void *y) { return (*(const unsigned char *)x >> 4) - (*(const unsigned char *)y >> 4); }

static int by_upper_with(const void *x, const void *y, void *sign) { return *(int *)sign * by_upper(x, y); }

static void compare_sorts(void) {
    unsigned char values[40], previous;
    const char *a = "", *b = "";
    unsigned count = draw(40);
    for (unsigned k = 0; k < count; k++) values[k] = (unsigned char)(draw(16) << 4 | k % 16);
    if (count > 16) count = 16;
    veer_libc_qsort(values, count, 1, by_upper);
    for (unsigned k = 1; k < count; k++) {
        previous = values[k - 1];
        SAME("qsort", previous >> 4 < values[k] >> 4 || (previous >> 4 == values[k] >> 4 && previous < values[k]), 1);
    }
    unsigned char expected[40];
    int sign = -1;
    size_t size = count;
    memcpy(expected, values, sizeof values);
    veer_libc_qsort_r(values, count, 1, by_upper_with, &sign), qsort_r(expected, count, 1, by_upper_with, &sign);
    SAME("qsort_r", memcmp(values, expected, sizeof values), 0);
    unsigned char wanted = (unsigned char)draw(256);
    SAME("lfind", (intptr_t)veer_libc_lfind(&wanted, values, &size, 1, by_upper), (intptr_t)lfind(&wanted, values, &size, 1, by_upper));
    sign = 1;
    veer_libc_qsort_r(values, count, 1, by_upper_with, &sign);
    unsigned char key = (unsigned char)draw(256), *found = veer_libc_bsearch(&key, values, count, 1, by_upper);
    SAME("bsearch", found != NULL, bsearch(&key, values, count, 1, by_upper) != NULL);
}

int main(void) {
    char a[64], b[64];
    for (int round = 0; round < 20000; round++) {
        memset(a, 0, sizeof a), memset(b, 0, sizeof b);
        fill(a, "abAB \xe4"), fill(b, "abAB ");
        if (draw(2)) b[1 + draw(2)] = 0;
        compare_strings(a, b);
        compare_copies(a, b);
        compare_bounded(a, b);
        fill(a, draw(2) ? "0123456789" : " +-0xX19afzZ");
        compare_numbers(a);
        compare_sorts();
    }
    strcpy(a, "ctype"), strcpy(b, "");
    for (int c = -128; c < 256; c++) {
#define CHECK_CLASS(NAME) SAME(#NAME, veer_libc_##NAME(c), (NAME)(c));
        CLASSES(CHECK_CLASS)
#define CHECK_WIDE(NAME) SAME("isw" #NAME, veer_libc_isw##NAME((wint_t)c), isw##NAME((wint_t)c));
        WIDE(CHECK_WIDE)
        SAME("towlower", veer_libc_towlower((wint_t)c), towlower((wint_t)c));
        SAME("towupper", veer_libc_towupper((wint_t)c), towupper((wint_t)c));
        SAME("tolower", veer_libc_tolower(c), tolower(c));
        SAME("toupper", veer_libc_toupper(c), toupper(c));
    }
    return failures != 0;
}
