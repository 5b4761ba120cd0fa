/* The evaluator: values of expressions under an input (bytes beyond `length` count as 0), memoised within one generation; a
   new input wants veer_evaluate_begin. */
#ifndef ENGINE_EVALUATE_H
#define ENGINE_EVALUATE_H
#include "places.h"
#include "veer_wire.h"

enum {
    EVALUATION_STACK = 1 << 26, /* never full: three pushes for each of 2^24 nodes at most */
    CONE_LIMIT = 1 << 16        /* nodes of one straight-line evaluation */
};

struct evaluator_state {
    uint32_t generation;
    uint32_t fill_seed; /* not 0: each unwritten value is a number of its own (unwritten.h) */
    uint64_t fill; /* else what they are; 0 but while it is asked what depends on them */
    uint32_t input_length;
    const uint8_t *input;
    uint32_t cone_count;
    uint32_t cone[CONE_LIMIT];
    uint32_t stamp[VEER_NODES_CAPACITY];
    uint64_t value[VEER_NODES_CAPACITY];
    uint32_t stack[EVALUATION_STACK];
};
ENGINE_STATE_FITS(evaluator);
#define EVALUATOR ENGINE_STATE(evaluator)

/* 1 to 8 bytes as a number; a copy of a size that is not known would be a call. */
static inline uint64_t veer_read_bytes(const uint8_t *from, uint32_t bytes)
{
    uint64_t value = 0;
    switch (bytes) {
    case 1: return *from;
    case 2: __builtin_memcpy(&value, from, 2); break;
    case 4: __builtin_memcpy(&value, from, 4); break;
    case 8: __builtin_memcpy(&value, from, 8); break;
    default: __builtin_memcpy(&value, from, bytes); break;
    }
    return value;
}

void veer_evaluate_attach(void);
void veer_evaluate_begin(const uint8_t *input, uint32_t length);
uint64_t veer_evaluate(uint32_t expression);
uint64_t veer_leaf_value(uint32_t leaf, const uint8_t *input, uint32_t length);
void veer_set_leaf(uint32_t leaf, uint64_t value, uint8_t *input);
int veer_cone_build(const uint32_t *roots, uint32_t count);
#endif
