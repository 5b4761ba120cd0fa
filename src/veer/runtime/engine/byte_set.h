/* Sets of values of narrow leaves, and which of them a predicate holds for. */
#ifndef ENGINE_BYTE_SET_H
#define ENGINE_BYTE_SET_H
#include <stdint.h>

/* A set of values of a leaf of at most 8 bits. */
struct byte_set {
    uint64_t word[4];
};

const struct byte_set *veer_byte_solution(uint32_t literal, uint32_t leaf, struct byte_set *scratch);
#endif
