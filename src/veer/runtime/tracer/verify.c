/* VEER_VERIFY: a wrong expression ends the process. */
#include "verify.h"

#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "engine/bits.h"
#include "engine/evaluate.h"
#include "kernel.h"
#include "veer_shared.h"

void veer_verify_value(uint32_t expression, uint64_t value) {
    if (expression < VEER_FIRST_EXPRESSION) return;
    veer_evaluate_begin(VEER_INPUTS + VEER_CONTROL->input_bytes, VEER_CONTROL->current_length);
    uint64_t mask = mask_of(VEER_NODES[expression].width);
    uint64_t expected = veer_evaluate(expression) & mask;
    if (expected == (value & mask)) return;
    char text[160];
    int length = snprintf(text, sizeof text, "veer: expression %u (operator %u, width %u) is %llu, but the program has %llu\n", expression,
                          VEER_NODES[expression].op, VEER_NODES[expression].width, (unsigned long long)expected,
                          (unsigned long long)(value & mask));
    VEER_KERNEL(SYS_write, PROCESS->errors, text, length, 0, 0, 0);
    _exit(99);
}
