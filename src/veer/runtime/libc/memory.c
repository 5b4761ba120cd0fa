/* Blocks of memory: comparing, searching, copying. memcpy, memmove and memset are the runtime's. */
#include <stddef.h>

#include "libc.h"

int veer_libc_memcmp(const void *a, const void *b, size_t n) {
    const unsigned char *x = a, *y = b;
    for (size_t k = 0; k < n; k++)
        if (x[k] != y[k]) return x[k] - y[k];
    return 0;
}

int veer_libc_bcmp(const void *a, const void *b, size_t n) { return veer_libc_memcmp(a, b, n); }

void *veer_libc_memchr(const void *memory, int c, size_t n) {
    const unsigned char *bytes = memory;
    long place = veer_place_of(memory, c, n);
    if (place >= 0) return place ? (void *)(bytes + (place - 1)) : NULL;
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

/* Copies up to the first `c`; what lies behind it in `to`, or NULL. */
void *veer_libc_memccpy(void *to, const void *from, int c, size_t n) {
    unsigned char *target = to;
    const unsigned char *bytes = from;
    for (size_t k = 0; k < n; k++)
        if ((target[k] = bytes[k]) == (unsigned char)c) return target + k + 1;
    return NULL;
}
