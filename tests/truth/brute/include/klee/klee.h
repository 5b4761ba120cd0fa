/* The part of KLEE's interface that the test programs use, for the brute force. */
#include <stddef.h>
#include <stdint.h>
void klee_make_symbolic(void *object, size_t size, const char *name);
void klee_assume(uintptr_t condition);
