/* veer's own harness interface: write a main() that makes its inputs, states what it assumes, and calls what is to be tested.

       #include <veer.h>
       int main(void) {
           int x;
           veer_input(&x, sizeof x, "x");
           veer_assume(x >= 0);
           veer_assert(isqrt(x) * isqrt(x) <= x);
       }

   `veer test harness.c unit.c --entry main` explores it. */
#ifndef VEER_H
#define VEER_H
#include <stddef.h>
#ifdef __cplusplus
extern "C" {
#endif
/* The `size` bytes at `object` become an input of that name. */
void veer_input(void *object, size_t size, const char *name);
/* Only inputs for which the condition holds are tests. */
void veer_assume(int condition);
/* A condition that must hold; the search looks for inputs that violate it. */
#define veer_assert(condition) ((veer_assert)((condition) != 0, #condition))
void(veer_assert)(int condition, const char *text);
#ifdef __cplusplus
}
#endif
#endif
