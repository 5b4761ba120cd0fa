/* The engine's sets of intervals as a unit (CUTE section 4.1: a tool that tests its own data structures). What is tested gets
   names of its own, for the executor holds the engine, too. Sets of bytes, of at most two intervals. */
#define veer_spans_intersect own_intersect
#define veer_spans_complement own_complement
#define veer_spans_contain own_contain
#define veer_spans_nearest own_nearest
#include <spans.c>

#include <assert.h>

enum { WIDTH = 8, MOST = 2 };

/* repOK: sorted, disjoint, no two that touch, within the width. */
static int sorted(const struct spans *set, uint32_t most)
{
    if (set->count > most) return 0;
    for (uint32_t k = 0; k < set->count; k++) {
        if (set->span[k].low > set->span[k].high || set->span[k].high > mask_of(WIDTH)) return 0;
        if (k && (set->span[k].low == 0 || set->span[k - 1].high >= set->span[k].low - 1)) return 0;
    }
    return 1;
}

int set_ok(const struct spans *set) { return set && sorted(set, MOST); }

int not_empty(const struct spans *set) { return set->count > 0; }

void test_complement(const struct spans *set, uint8_t value)
{
    struct spans rest;
    assert(own_complement(set, WIDTH, &rest));
    assert(sorted(&rest, MOST + 1));
    assert(!own_contain(set, value) != !own_contain(&rest, value));
}

void test_intersect(const struct spans *first, const struct spans *second, uint8_t value)
{
    struct spans both;
    assert(own_intersect(first, second, &both));
    assert(sorted(&both, 2 * MOST));
    assert(own_contain(&both, value) == (own_contain(first, value) && own_contain(second, value)));
}

static uint8_t distance(uint8_t from, uint8_t to)
{
    uint8_t up = (uint8_t)(to - from), down = (uint8_t)(from - to);
    return up < down ? up : down;
}

void test_nearest(const struct spans *set, uint8_t near, uint8_t other)
{
    uint64_t found = own_nearest(set, near, WIDTH);
    assert(own_contain(set, found));
    if (own_contain(set, other)) assert(distance(near, (uint8_t)found) <= distance(near, other));
}
