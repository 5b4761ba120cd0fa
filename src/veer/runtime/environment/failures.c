/* --fail: whether a call of the C library fails is an input; else it does what it always does. Behind the declarations and types that
   frontends/c/environment.py writes. Twins in suites: suite/c/templates/failures.c. */

extern int *veer_f_errno(void) __asm__("__errno_location");

/* Whether this call fails, with this errno. */
static int veer_f_fails(const char *root, int error) {
    int fails = 0;
    veer_h_make(&fails, &VEER_F_FAILURE, root);
    if (fails) *veer_f_errno() = error;
    return fails;
}
