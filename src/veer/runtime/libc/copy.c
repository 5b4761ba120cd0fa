/* Copies of strings and memory. */
#include <stddef.h>

#include "libc.h"

char *veer_libc_stpcpy(char *to, const char *from) {
    while ((*to = *from)) to++, from++;
    return to;
}

char *veer_libc_strcpy(char *to, const char *from) {
    veer_libc_stpcpy(to, from);
    return to;
}

char *veer_libc_stpncpy(char *to, const char *from, size_t n) {
    size_t k = 0;
    for (; k < n && from[k]; k++) to[k] = from[k];
    char *end = to + k;
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
    while (n-- && *from) *end++ = *from++;
    *end = 0;
    return to;
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

int veer_libc_memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t k = 0; k < n; k++)
        if (x[k] != y[k]) return x[k] - y[k];
    return 0;
}

int veer_libc_bcmp(const void *a, const void *b, size_t n) { return veer_libc_memcmp(a, b, n); }

void *veer_libc_memchr(const void *memory, int c, size_t n) {
    const unsigned char *bytes = memory;
    for (size_t k = 0; k < n; k++)
        if (bytes[k] == (unsigned char)c) return (void *)(bytes + k);
    return NULL;
}

void *veer_libc_memrchr(const void *memory, int c, size_t n) {
    const unsigned char *bytes = memory;
    while (n--)
        if (bytes[n] == (unsigned char)c) return (void *)(bytes + n);
    return NULL;
}

void *veer_libc_rawmemchr(const void *memory, int c) {
    const unsigned char *bytes = memory;
    while (*bytes != (unsigned char)c) bytes++;
    return (void *)bytes;
}

void *veer_libc_mempcpy(void *to, const void *from, size_t n) {
    veer_memcpy(to, from, n);
    return (char *)to + n;
}

void veer_libc_bzero(void *to, size_t n) { veer_memset(to, 0, n); }

void veer_libc_bcopy(const void *from, void *to, size_t n) { veer_memmove(to, from, n); }

void *veer_libc_memmem(const void *text, size_t length, const void *part, size_t size) {
    const unsigned char *bytes = text;
    if (size == 0) return (void *)bytes;
    for (size_t k = 0; k + size <= length; k++)
        if (veer_libc_memcmp(bytes + k, part, size) == 0) return (void *)(bytes + k);
    return NULL;
}

int veer_libc_posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return 22; /* EINVAL */
    *result = veer_aligned_alloc(alignment, size);
    return *result ? 0 : 12; /* ENOMEM */
}

void *veer_libc_memalign(size_t alignment, size_t size) { return veer_aligned_alloc(alignment, size); }

void *veer_libc_valloc(size_t size) { return veer_aligned_alloc(4096, size); }

void *veer_libc_reallocarray(void *old, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) return NULL;
    return veer_realloc(old, bytes);
}

void veer_libc_cfree(void *object) { veer_free(object); }
