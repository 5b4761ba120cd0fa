/* --fail: whether a call of the C library fails is an input; else it does what it always does. Behind two macros: in an executable
   (frontends/c/environment.py) VEER_F_ASK makes the input, in a suite (suite/c/failures.py) it takes what was recorded.

   VEER_F_ASK(int *value, const char *input)
   VEER_F_FUNCTION        before each function that stands for one of the library's */

extern int *veer_f_errno(void) __asm__("__errno_location");

/* Whether this call fails, with this errno. */
static int veer_f_fails(const char *input, int error) {
    int fails = 0;
    VEER_F_ASK(&fails, input);
    if (fails) *veer_f_errno() = error;
    return fails;
}
