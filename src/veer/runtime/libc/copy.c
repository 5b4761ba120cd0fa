/* Copies of strings and memory. */
#include <stddef.h>

#include "libc.h"

/* Ends the run where `size` bytes at two places overlap, which C leaves undefined; of a place itself nothing changes. */
static void apart(const char *to, const char *from, size_t size) {
    if (to != from && to < from + size && from < to + size) veer_overlaps();
}

char *veer_libc_stpcpy(char *to, const char *from) {
    size_t k = 0;
    while ((to[k] = from[k])) k++;
    apart(to, from, k + 1);
    return to + k;
}

char *veer_libc_strcpy(char *to, const char *from) {
    veer_libc_stpcpy(to, from);
    return to;
}

char *veer_libc_stpncpy(char *to, const char *from, size_t n) {
    size_t k = 0;
    for (; k < n && from[k]; k++) to[k] = from[k];
    char *end = to + k;
    apart(to, from, k < n ? k + 1 : k);
    for (; k < n; k++) to[k] = 0;
    return end;
}

char *veer_libc_strncpy(char *to, const char *from, size_t n) {
    veer_libc_stpncpy(to, from, n);
    return to;
}

char *veer_libc_strcat(char *to, const char *from) {
    veer_libc_strcpy(to + veer_libc_strlen(to), from);
    return to;
}

char *veer_libc_strncat(char *to, const char *from, size_t n) {
    char *end = to + veer_libc_strlen(to);
    size_t k = 0;
    for (; k < n && from[k]; k++) end[k] = from[k];
    apart(end, from, k < n ? k + 1 : k);
    end[k] = 0;
    return to;
}

/* BSD's: always ended by a NUL when there is room for one; the length that was wanted. */
size_t veer_libc_strlcpy(char *to, const char *from, size_t room) {
    size_t n = 0;
    for (; from[n]; n++)
        if (n + 1 < room) to[n] = from[n];
    if (room) to[n < room ? n : room - 1] = 0;
    return n;
}

size_t veer_libc_strlcat(char *to, const char *from, size_t room) {
    size_t length = veer_libc_strnlen(to, room);
    return length + veer_libc_strlcpy(to + length, from, room - length);
}

/* In the C locale, text is its own sort key. */
size_t veer_libc_strxfrm(char *to, const char *from, size_t room) {
    size_t length = veer_libc_strlen(from);
    if (length < room) veer_libc_stpcpy(to, from);
    else if (room) veer_libc_strncpy(to, from, room);
    return length;
}

char *veer_libc_strdup(const char *s) {
    size_t size = veer_libc_strlen(s) + 1;
    char *copy = veer_malloc(size);
    if (copy) veer_memcpy(copy, s, size);
    return copy;
}

char *veer_libc_strndup(const char *s, size_t most) {
    size_t length = veer_libc_strnlen(s, most);
    char *copy = veer_malloc(length + 1);
    if (!copy) return NULL;
    veer_memcpy(copy, s, length);
    copy[length] = 0;
    return copy;
}

char *veer_libc_strtok_r(char *s, const char *set, char **rest) {
    if (!s) s = *rest;
    if (!s) return NULL;
    s += veer_libc_strspn(s, set);
    if (!*s) {
        *rest = NULL;
        return NULL;
    }
    char *end = s + veer_libc_strcspn(s, set);
    if (*end) *end++ = 0;
    else end = NULL;
    *rest = end;
    return s;
}

static char *strtok_rest;

char *veer_libc_strtok(char *s, const char *set) { return veer_libc_strtok_r(s, set, &strtok_rest); }

char *veer_libc_strsep(char **text, const char *set) {
    char *s = *text, *end;
    if (!s) return NULL;
    end = s + veer_libc_strcspn(s, set);
    if (*end) *end++ = 0;
    else end = NULL;
    *text = end;
    return s;
}
