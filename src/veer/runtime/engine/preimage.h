/* Predicates over one wide leaf as sets of intervals. */
#ifndef ENGINE_PREIMAGE_H
#define ENGINE_PREIMAGE_H
#include <stdint.h>

struct spans;

int veer_spans_solution(uint32_t literal, struct spans *spans);
#endif
