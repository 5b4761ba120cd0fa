/* The heap's other doors: malloc, calloc, realloc, free and aligned_alloc are the runtime's. */
#include <errno.h>
#include <stddef.h>

#include "libc.h"

int veer_libc_posix_memalign(void **result, size_t alignment, size_t size) {
    if (alignment < sizeof(void *) || (alignment & (alignment - 1)) != 0) return EINVAL;
    *result = veer_aligned_alloc(alignment, size);
    return *result ? 0 : ENOMEM;
}

void *veer_libc_memalign(size_t alignment, size_t size) { return veer_aligned_alloc(alignment, size); }

void *veer_libc_valloc(size_t size) { return veer_aligned_alloc(4096, size); }

void *veer_libc_reallocarray(void *old, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return veer_realloc(old, bytes);
}

/* What operator new gives: never NULL, and bad_alloc is not thrown, so that a run that would need it ends. */
static void *made(void *object) {
    if (!object) veer_refuse("operator new of more bytes than there can be: veer does not throw std::bad_alloc");
    return object;
}

/* C++'s operator new. A block of no bytes has an address of its own, and none of them may be touched. */
void *veer_libc_new(size_t size) { return made(veer_malloc(size)); }

void *veer_libc_new_aligned(size_t size, size_t alignment) {
    return made(veer_aligned_alloc(alignment, size));
}

void veer_libc_cfree(void *object) { veer_free(object); }
