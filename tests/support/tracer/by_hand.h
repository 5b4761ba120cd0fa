/* Instrumented by hand: what the instrumenter would emit, as macros and small functions, for tests of the tracer. A value travels
   with its shadow. */
#ifndef BY_HAND_H
#define BY_HAND_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "veer_harness.h"
#include "veer_runtime.h"
#include "veer_shared.h"

struct value {
    uint64_t bits;
    uint32_t shadow;
};

static inline struct value constant(uint64_t bits) { return (struct value){bits, 0}; }

static inline struct value load(uint64_t address, uint32_t shadow, uint32_t size, uint32_t site) {
    struct value result = {0, veer_load(address, shadow, size, site)};
    memcpy(&result.bits, (void *)(uintptr_t)address, size);
    return result;
}

static inline void store(uint64_t address, struct value value, uint32_t size, uint32_t site) {
    veer_store(address, 0, size, value.shadow, value.bits, site);
    memcpy((void *)(uintptr_t)address, &value.bits, size);
}

static inline int symbolic(struct value value) { return value.shadow > 1; }

/* A comparison of integers; the concrete result is given by the caller's operator. */
static inline struct value compare(uint32_t predicate, uint32_t width, struct value a, struct value b, int result) {
    struct value value = {(uint64_t)result, 0};
    if (symbolic(a) || symbolic(b)) value.shadow = veer_compare(predicate, width, a.shadow, a.bits, b.shadow, b.bits);
    return value;
}

static inline struct value equal(uint32_t width, struct value a, uint64_t b) {
    return compare(VEER_PREDICATE_EQ, width, a, constant(b), a.bits == b);
}

static inline struct value add(uint32_t width, struct value a, struct value b) {
    struct value value = {a.bits + b.bits, 0};
    if (symbolic(a) || symbolic(b)) value.shadow = veer_binary(VEER_OP_ADD, width, a.shadow, a.bits, b.shadow, b.bits, 0);
    return value;
}

static inline struct value zero_extend(uint32_t from, uint32_t to, struct value a) {
    if (symbolic(a)) a.shadow = veer_cast(VEER_OP_ZEXT, from, to, a.shadow, a.bits);
    return a;
}

/* A source branch: coverage, path hash, decision. */
static inline int branch(struct value condition, uint32_t site) {
    uint32_t edge = 2 * site + (uint32_t)(condition.bits & 1);
    VEER_COVERAGE[edge] = 1;
    VEER_HOT->path_hash = (VEER_HOT->path_hash ^ ((uint64_t)edge + 1)) * VEER_HASH_MULTIPLIER;
    if (symbolic(condition)) veer_branch(condition.shadow, (uint32_t)(condition.bits & 1), site);
    return (int)(condition.bits & 1);
}

/* Shadows of the arguments of the next call of `callee`. */
static inline void pass(const void *callee, uint32_t a, uint32_t b, uint32_t c) {
    VEER_HOT->callee = (uint64_t)(uintptr_t)callee;
    VEER_HOT->arguments[0] = a;
    VEER_HOT->arguments[1] = b;
    VEER_HOT->arguments[2] = c;
}

static inline void enter(uint32_t site) {
    struct veer_hot *hot = VEER_HOT;
    hot->frames[hot->depth] = (struct veer_frame){.site = site};
    hot->depth++;
}

static inline void leave(void) { VEER_HOT->depth--; }

#define SIZED(KIND, SIZE, ID) {.id = ID, .kind = KIND, .size = SIZE, .alignment = SIZE}

/* A global between red zones, as the instrumenter wraps it. */
#define GLOBAL(NAME, SIZE)                                                                                       \
    static struct {                                                                                              \
        char before[32], value[SIZE], after[32];                                                                 \
    } wrapped_##NAME __attribute__((section("veer_data"), aligned(16))) = {{0}, {0}, {0}};                       \
    static const struct veer_global object_##NAME __attribute__((section("veer_objects"), used)) = {             \
        wrapped_##NAME.value, SIZE, #NAME, 1, 0}
#define ADDRESS(NAME) ((uint64_t)(uintptr_t)wrapped_##NAME.value)
#endif
