/* A range of values. */
#ifndef ENGINE_RANGE_H
#define ENGINE_RANGE_H
#include "bits.h"

/* The values between two, inclusive, as unsigned integers; with is_float: as finite numbers, by their bits. */
struct range {
    uint64_t low, high;
    uint32_t is_float;
};

static inline struct range any_value(uint32_t width)
{
    return (struct range){0, mask_of(width), 0};
}

static inline struct range between(uint64_t low, uint64_t high)
{
    return (struct range){low, high, 0};
}

/* An operand's range as what its reader needs; a number below 0, as bits, is any value. */
static inline struct range integer_range(const struct range *range, uint32_t width)
{
    if (!range->is_float)
        return *range;
    int is_positive = range->low > 0 && range->low < sign_bit(width) && range->high < sign_bit(width);
    return is_positive ? between(range->low, range->high) : any_value(width);
}
#endif
