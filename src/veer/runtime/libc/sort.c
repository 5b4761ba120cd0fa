/* Sorting and searching with the program's own, instrumented comparators. */
#include <stddef.h>

#include "libc.h"

/* Insertion sort: stable, and the same comparisons for the same input; inputs of a unit test are short. Elements move by memcpy,
   so that their shadows move too. */
void veer_libc_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    char *bytes = base;
    if (count < 2 || size == 0) return;
    char *spare = veer_malloc(size);
    for (size_t k = 1; k < count; k++) {
        size_t place = k;
        while (place > 0 && compare(bytes + (place - 1) * size, bytes + k * size) > 0) place--;
        if (place == k) continue;
        veer_memcpy(spare, bytes + k * size, size);
        veer_memmove(bytes + (place + 1) * size, bytes + place * size, (k - place) * size);
        veer_memcpy(bytes + place * size, spare, size);
    }
    veer_free(spare);
}

void *veer_libc_bsearch(const void *key, const void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    const char *bytes = base;
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = compare(key, bytes + middle * size);
        if (order == 0) return (void *)(bytes + middle * size);
        if (order < 0) high = middle;
        else low = middle + 1;
    }
    return NULL;
}
