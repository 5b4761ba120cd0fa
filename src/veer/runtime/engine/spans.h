/* Sets of values of wide leaves. */
#ifndef ENGINE_SPANS_H
#define ENGINE_SPANS_H
#include <stdint.h>

enum { MAX_SPANS = 256 }; /* intervals of one wide leaf's domain */

/* A set of values of a leaf as sorted, disjoint, inclusive intervals. */
struct span {
    uint64_t low, high;
};
struct spans {
    uint32_t count;
    struct span span[MAX_SPANS];
};

int veer_spans_intersect(const struct spans *left, const struct spans *right, struct spans *both);
int veer_spans_complement(const struct spans *spans, uint32_t width, struct spans *rest);
int veer_spans_contain(const struct spans *spans, uint64_t value);
uint64_t veer_spans_nearest(const struct spans *spans, uint64_t near, uint32_t width);
#endif
