/* veer's own harness interface, for the brute force. */
#include <stddef.h>
void veer_input(void *object, size_t size, const char *name);
void veer_assume(int condition);
void veer_assert_that(int condition);
#define veer_assert(condition) veer_assert_that(!!(condition))
