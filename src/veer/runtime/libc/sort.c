/* Sorting and searching with the program's own, instrumented comparators. */
#include <stddef.h>

#include "libc.h"

/* One sort under way: elements move by memcpy, so that their shadows move too. */
struct sort {
    char *spare;
    size_t size;
    int (*compare)(const void *, const void *);
    int (*compare_with)(const void *, const void *, void *); /* of qsort_r */
    void *argument;
};

static int in_order(const struct sort *sort, const void *a, const void *b) {
    return (sort->compare ? sort->compare(a, b) : sort->compare_with(a, b, sort->argument)) <= 0;
}

/* Merge sort, top down: stable, and the comparisons that glibc makes, in its order. */
static void merge_sort(const struct sort *sort, char *elements, size_t count) {
    size_t left = count / 2, right = count - left, size = sort->size;
    char *a = elements, *b = elements + left * size, *out = sort->spare;
    if (count < 2) return;
    merge_sort(sort, a, left);
    merge_sort(sort, b, right);
    while (left > 0 && right > 0) {
        int first = in_order(sort, a, b);
        veer_memcpy(out, first ? a : b, size);
        out += size;
        if (first) a += size, left--;
        else b += size, right--;
    }
    if (left > 0) veer_memcpy(out, a, left * size);
    veer_memcpy(elements, sort->spare, (count - right) * size);
}

static void sort_all(struct sort sort, void *base, size_t count) {
    if (count < 2 || sort.size == 0) return;
    sort.spare = veer_malloc(count * sort.size);
    merge_sort(&sort, base, count);
    veer_free(sort.spare);
}

void veer_libc_qsort(void *base, size_t count, size_t size, int (*compare)(const void *, const void *)) {
    sort_all((struct sort){.size = size, .compare = compare}, base, count);
}

void veer_libc_qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *argument) {
    sort_all((struct sort){.size = size, .compare_with = compare, .argument = argument}, base, count);
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

void *veer_libc_lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    const char *element = base;
    for (size_t k = 0; k < *count; k++, element += size)
        if (compare(key, element) == 0) return (void *)element;
    return NULL;
}

/* Appends what it does not find. */
void *veer_libc_lsearch(const void *key, void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
    void *found = veer_libc_lfind(key, base, count, size, compare);
    if (found) return found;
    return veer_memcpy((char *)base + (*count)++ * size, key, size);
}
