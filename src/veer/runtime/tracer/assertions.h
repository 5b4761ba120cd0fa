/* What a harness asks of values: assumptions, assertions, results. */
#ifndef VEER_ASSERTIONS_H
#define VEER_ASSERTIONS_H
#include <stdint.h>

/* The literal "the value is not 0", or 0 when it is concrete. */
uint32_t veer_truth_of(uint32_t shadow, uint64_t value);
#endif
