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

/* C++'s operator new. One byte more than nothing, for objects have addresses of their own; bad_alloc is not thrown. */
void *veer_libc_new(size_t size) { return veer_malloc(size + (size == 0)); }

void *veer_libc_new_aligned(size_t size, size_t alignment) { return veer_aligned_alloc(alignment, size + (size == 0)); }

void veer_libc_cfree(void *object) { veer_free(object); }
