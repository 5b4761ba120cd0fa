/* veer's own libc, compiled plainly, against the machine's on pseudo-random input; prints each difference. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <strings.h>

#include "libc_compare.h"

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
OWN(void, qsort, void *, size_t, size_t, int (*)(const void *, const void *))
OWN(void *, bsearch, const void *, const void *, size_t, size_t, int (*)(const void *, const void *))
#define CLASS(NAME) OWN(int, NAME, int)
#define CLASSES(DO) DO(isalpha) DO(isdigit) DO(isalnum) DO(isspace) DO(isupper) DO(islower) DO(isprint) DO(isgraph) DO(ispunct) \
    DO(iscntrl) DO(isxdigit) DO(isblank)
CLASSES(CLASS) CLASS(tolower) CLASS(toupper)

#define SAME(TEXT, A, B) ((A) == (B) ? 0 : (failures++, printf("%s: %lld, not %lld, on \"%s\" and \"%s\"\n", TEXT, (long long)(A), (long long)(B), a, b)))
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
    SAME("strpbrk", (intptr_t)veer_libc_strpbrk(a, b), (intptr_t)strpbrk(a, b));
}

static void compare_copies(const char *a, const char *b) {
    char x[40] = "ab", y[40] = "ab", *rest_x = x, *rest_y = y;
    size_t n = draw(14);
    veer_libc_strncat(x, a, n), strncat(y, a, n);
    SAME("strncat", memcmp(x, y, 40), 0);
    veer_libc_strncpy(x, a, n), strncpy(y, a, n);
    SAME("strncpy", memcmp(x, y, 40), 0);
    strcpy(x, a), strcpy(y, a);
    for (char *one = x, *other = y;; one = other = NULL) {
        char *token = veer_libc_strtok_r(one, b, &rest_x), *expected = strtok_r(other, b, &rest_y);
        SAME("strtok_r", token ? token - x : -1, expected ? expected - y : -1);
        if (!token || !expected) break;
    }
    SAME("strtok_r's text", memcmp(x, y, 12), 0);
}

static void compare_numbers(const char *a) {
    static const int bases[] = {0, 2, 8, 10, 16, 36};
    const char *b = "";
    for (unsigned k = 0; k < 6; k++) {
        char *end, *expected_end;
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

/* Orders by the upper four bits, so that stability shows. */
static int by_upper(const void *x, const void *y) { return (*(const unsigned char *)x >> 4) - (*(const unsigned char *)y >> 4); }

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
        fill(a, draw(2) ? "0123456789" : " +-0xX19afzZ");
        compare_numbers(a);
        compare_sorts();
    }
    strcpy(a, "ctype"), strcpy(b, "");
    for (int c = -1; c < 256; c++) {
#define CHECK_CLASS(NAME) SAME(#NAME, veer_libc_##NAME(c) != 0, NAME(c) != 0);
        CLASSES(CHECK_CLASS)
        SAME("tolower", veer_libc_tolower(c), tolower(c));
        SAME("toupper", veer_libc_toupper(c), toupper(c));
    }
    return failures != 0;
}
