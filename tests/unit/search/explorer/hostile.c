/* A unit instrumented by hand, for the loop with the real runtime: byte b decides what the run does to its process. */
#include <signal.h>
#include <unistd.h>

#include "veer_harness.h"
#include "veer_runtime.h"

static const struct veer_type byte_type = {.id = 0, .kind = VEER_TYPE_UNSIGNED, .size = 1, .alignment = 1};
static uint8_t memory[64] __attribute__((section("veer_data"), aligned(16)));
static const struct veer_global described __attribute__((section("veer_objects"), used, retain)) = {memory + 16, 32, "memory", 1, 0};

/* if (b == value), as the instrumenter writes it. */
static int equals(uint8_t *b, uint8_t value, uint32_t site) {
    uint32_t shadow = VEER_SHADOW[(uintptr_t)b] & VEER_EXPRESSION_MASK;
    uint32_t taken = *b == value, edge = 2 * site + taken;
    VEER_COVERAGE[edge] = 1;
    VEER_HOT->path_hash = (VEER_HOT->path_hash ^ (edge + 1)) * VEER_HASH_MULTIPLIER;
    if (shadow > 1) veer_branch(veer_compare(VEER_PREDICATE_EQ, 8, shadow, *b, 0, value), taken, site);
    return (int)taken;
}

void veer_main(void) {
    uint8_t *b = memory + 16;
    veer_make(b, &byte_type, "b");
    VEER_HOT->frames[0].site = 6;
    VEER_HOT->frames[0].context = 0;
    VEER_HOT->depth = 1;
    if (equals(b, 11, 0)) kill(getpid(), SIGKILL);
    if (equals(b, 22, 1)) _exit(3);
    if (equals(b, 33, 2)) pause();
    if (equals(b, 44, 3)) *(volatile int *)8 = 1;
    if (equals(b, 55, 4)) veer_hang(4);
    int result = equals(b, 66, 5) ? 2 : 1;
    veer_result(&result, sizeof result, 0);
}
