/* Strings, byte by byte: every read is a real access of the program's memory, so that over-reads are found. */
#include <stddef.h>

#include "libc.h"

size_t veer_libc_strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}

size_t veer_libc_strnlen(const char *s, size_t most) {
    size_t n = 0;
    while (n < most && s[n]) n++;
    return n;
}

int veer_libc_strcmp(const char *a, const char *b) {
    while (*a == *b && *a) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

int veer_libc_strncmp(const char *a, const char *b, size_t n) {
    if (n == 0) return 0;
    while (--n && *a == *b && *a) a++, b++;
    return (unsigned char)*a - (unsigned char)*b;
}

int veer_libc_strcoll(const char *a, const char *b) { return veer_libc_strcmp(a, b); }

static int same_letter(char a, char b) { return veer_libc_tolower((unsigned char)a) == veer_libc_tolower((unsigned char)b); }

int veer_libc_strcasecmp(const char *a, const char *b) {
    while (same_letter(*a, *b) && *a) a++, b++;
    return veer_libc_tolower((unsigned char)*a) - veer_libc_tolower((unsigned char)*b);
}

int veer_libc_strncasecmp(const char *a, const char *b, size_t n) {
    if (n == 0) return 0;
    while (--n && same_letter(*a, *b) && *a) a++, b++;
    return veer_libc_tolower((unsigned char)*a) - veer_libc_tolower((unsigned char)*b);
}

char *veer_libc_strchr(const char *s, int c) {
    long place = veer_place_of(s, c, VEER_WHOLE_STRING);
    if (place >= 0) return place ? (char *)s + (place - 1) : NULL;
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (!*s) return NULL;
    }
}

char *veer_libc_strchrnul(const char *s, int c) {
    char *found = veer_libc_strchr(s, c);
    return found ? found : (char *)s + veer_libc_strlen(s);
}

char *veer_libc_index(const char *s, int c) { return veer_libc_strchr(s, c); }

char *veer_libc_strrchr(const char *s, int c) {
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c) found = s;
        if (!*s) return (char *)found;
    }
}

char *veer_libc_rindex(const char *s, int c) { return veer_libc_strrchr(s, c); }

char *veer_libc_strstr(const char *text, const char *part) {
    if (!*part) return (char *)text;
    for (; *text; text++) {
        size_t k = 0;
        while (part[k] && text[k] == part[k]) k++;
        if (!part[k]) return (char *)text;
    }
    return NULL;
}

char *veer_libc_strcasestr(const char *text, const char *part) {
    size_t length = veer_libc_strlen(part);
    for (;; text++) {
        if (veer_libc_strncasecmp(text, part, length) == 0) return (char *)text;
        if (!*text) return NULL;
    }
}

/* Whether c is a character of the set, which its NUL is not. */
static int belongs(const char *set, char c) {
    long place = veer_place_of(set, c, VEER_WHOLE_STRING);
    if (place < 0) return c && veer_libc_strchr(set, c);
    return (unsigned long)place - 1 < veer_libc_strlen(set);
}

size_t veer_libc_strspn(const char *s, const char *set) {
    size_t n = 0;
    while (belongs(set, s[n])) n++;
    return n;
}

size_t veer_libc_strcspn(const char *s, const char *set) {
    size_t n = 0;
    while (!veer_libc_strchr(set, s[n])) n++; /* it finds the NUL, too */
    return n;
}

char *veer_libc_strpbrk(const char *s, const char *set) {
    s += veer_libc_strcspn(s, set);
    return *s ? (char *)s : NULL;
}
