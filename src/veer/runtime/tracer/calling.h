/* The calling convention of instrumented code, as the runtime's own functions meet it (veer_runtime.h, "calls"). */
#ifndef VEER_CALLING_H
#define VEER_CALLING_H
#include "veer_runtime.h"

/* The head of a function whose address the unit may take and call: its entry carries the mark. */
#define VEER_QUOTE(text) #text
#define VEER_QUOTED(text) VEER_QUOTE(text)
#define VEER_MARKED(type, name, ...)                                                                            \
    __asm__(".pushsection .text\n\t.p2align 4\n\t.quad " VEER_QUOTED(VEER_FUNCTION_MARK) ", " VEER_QUOTED(         \
        VEER_FUNCTION_MARK) "\n\t.globl " #name "\n\t.type " #name ", @function\n" #name ":\n\tjmp " #name        \
                            "_body\n\t.size " #name ", . - " #name "\n\t.popsection");                          \
    __attribute__((used)) type name##_body(__VA_ARGS__);                                                        \
    type name##_body(__VA_ARGS__)

/* A function's own argument shadows, as the caller left them for the function at address `self`. */
static inline uint32_t veer_argument(const void *self, unsigned index) {
    return VEER_HOT->callee == (uint64_t)(uintptr_t)self ? VEER_HOT->arguments[index] : 0;
}
#endif
