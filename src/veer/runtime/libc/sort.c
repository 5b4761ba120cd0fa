/* Sorting and searching with the program's own, instrumented comparators. */
#include <stddef.h>

#include "libc.h"

/* One sort under way: elements move by memcpy, so that their shadows move too. */
struct sort {
    char *spare;
    size_t size;
    int (*compare)(const void *, const void *);
};

/* Merge sort, top down: stable, and the comparisons that glibc makes, in its order. */
static void merge_sort(const struct sort *sort, char *elements, size_t count) {
    size_t left = count / 2, right = count - left, size = sort->size;
    char *a = elements, *b = elements + left * size, *out = sort->spare;
    if (count < 2) return;
    merge_sort(sort, a, left);
    merge_sort(sort, b, right);
    while (left > 0 && right > 0) {
        int first = sort->compare(a, b) <= 0;
        veer_memcpy(out, first ? a : b, size);
        out += size;
        if (first) a += size, left--;
        else b += size, right--;
    }
    if (left > 0) veer_memcpy(out, a, left * size);
    veer_memcpy(elements, sort->spare, (count - right) * size);
}

void veer_libc_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    struct sort sort = {.size = size, .compare = compare};
    if (count < 2 || size == 0) return;
    sort.spare = veer_malloc(count * size);
    merge_sort(&sort, base, count);
    veer_free(sort.spare);
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
