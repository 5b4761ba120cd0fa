/* Sets of values of wide leaves: sorted, disjoint, inclusive intervals, never two that touch. */
#include "spans.h"
#include "bits.h"

/* Appends [low, high], which lies above all that is there; joins it to the last one if they touch. 0 = no room. */
static int append(struct spans *spans, uint64_t low, uint64_t high)
{
    if (spans->count && spans->span[spans->count - 1].high + 1 == low) {
        spans->span[spans->count - 1].high = high;
        return 1;
    }
    if (spans->count == MAX_SPANS)
        return 0;
    spans->span[spans->count++] = (struct span){low, high};
    return 1;
}

/* The intersection; 0 = it has too many intervals. */
int veer_spans_intersect(const struct spans *left, const struct spans *right, struct spans *both)
{
    uint32_t i = 0, j = 0;
    both->count = 0;
    while (i < left->count && j < right->count) {
        struct span a = left->span[i], b = right->span[j];
        uint64_t low = a.low > b.low ? a.low : b.low, high = a.high < b.high ? a.high : b.high;
        if (low <= high && !append(both, low, high))
            return 0;
        if (a.high < b.high)
            i++;
        else
            j++;
    }
    return 1;
}

/* All values of that width that are not in the set; 0 = too many intervals. */
int veer_spans_complement(const struct spans *spans, uint32_t width, struct spans *rest)
{
    uint64_t next = 0, mask = mask_of(width);
    rest->count = 0;
    for (uint32_t i = 0; i < spans->count; i++) {
        struct span span = spans->span[i];
        if (span.low > next && !append(rest, next, span.low - 1))
            return 0;
        if (span.high == mask)
            return 1;
        next = span.high + 1;
    }
    return append(rest, next, mask);
}

int veer_spans_contain(const struct spans *spans, uint64_t value)
{
    for (uint32_t i = 0; i < spans->count; i++) {
        if (value <= spans->span[i].high)
            return value >= spans->span[i].low;
    }
    return 0;
}

/* The member that is closest to `near` in the ring of that width; the set is not empty. */
uint64_t veer_spans_nearest(const struct spans *spans, uint64_t near, uint32_t width)
{
    uint64_t mask = mask_of(width), best = spans->span[0].low, best_distance = ~0ull;
    for (uint32_t i = 0; i < spans->count; i++) {
        struct span span = spans->span[i];
        if (near >= span.low && near <= span.high)
            return near;
        uint64_t up = (span.low - near) & mask, down = (near - span.high) & mask;
        if (up < best_distance) {
            best_distance = up;
            best = span.low;
        }
        if (down < best_distance) {
            best_distance = down;
            best = span.high;
        }
    }
    return best;
}
