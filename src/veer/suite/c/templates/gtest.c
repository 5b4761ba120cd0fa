/* ---- what the tests in C++ call ------------------------------------------------------------------------------ */

/* Called before a test: results go to stderr, which a death test shows when it fails. */
void veer_begin(const char *name);
void veer_begin(const char *name)
{
    veer_output = 2;
    veer_current = name;
    libc_alarm({{ seconds }});
}
