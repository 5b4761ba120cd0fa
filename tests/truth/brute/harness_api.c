/* The harness interfaces of the field (KLEE's, Test-Comp's, veer's own), for programs that bring their own harness. */
#include "brute.h"

void klee_make_symbolic(void *object, size_t size, const char *name);
void klee_assume(uintptr_t condition);
void veer_input(void *object, size_t size, const char *name);
void veer_assume(int condition);
void veer_assert_that(int condition);
int __VERIFIER_nondet_int(void);
unsigned char __VERIFIER_nondet_uchar(void);
void __VERIFIER_assume(int condition);
_Noreturn void reach_error(void);

void klee_make_symbolic(void *object, size_t size, const char *name) {
    bf_make_named(object, size, name);
}

void veer_input(void *object, size_t size, const char *name) {
    bf_make_named(object, size, name);
}

static void assume(int holds) {
    if (!holds)
        bf_end(BF_ASSUMPTION);
}

void klee_assume(uintptr_t condition) {
    assume(condition != 0);
}

void veer_assume(int condition) {
    assume(condition);
}

void __VERIFIER_assume(int condition) {
    assume(condition);
}

void veer_assert_that(int condition) {
    if (!condition)
        bf_end(BF_ASSERTION);
}

int __VERIFIER_nondet_int(void) {
    int value;
    bf_make_named(&value, sizeof value, "nondet_int");
    return value;
}

unsigned char __VERIFIER_nondet_uchar(void) {
    unsigned char value;
    bf_make_named(&value, sizeof value, "nondet_uchar");
    return value;
}

_Noreturn void reach_error(void) {
    bf_end(BF_ASSERTION);
}
