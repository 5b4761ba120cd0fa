/* VEER_VERIFY: every expression is compared with the value that the program has. */
#ifndef VEER_VERIFY_H
#define VEER_VERIFY_H
#include "process.h"

void veer_verify_value(uint32_t expression, uint64_t value);

/* Checks, if VEER_VERIFY is set, that an expression has its concrete value under the run's input. */
static inline void veer_verify(uint32_t expression, uint64_t value) {
    if (PROCESS->verify) veer_verify_value(expression, value);
}
#endif
