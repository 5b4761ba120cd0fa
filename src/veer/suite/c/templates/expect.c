/* ---- expectations -------------------------------------------------------------------------------------------- */

VEER_UNUSED static void veer_expect_signed(const char *what, long long got, long long expected)
{
    if (got != expected) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s is %lld, expected %lld\n", veer_current, what, got, expected);
    }
}

VEER_UNUSED static void veer_expect_unsigned(const char *what, unsigned long long got, unsigned long long expected)
{
    if (got != expected) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s is %llu, expected %llu\n", veer_current, what, got, expected);
    }
}

VEER_UNUSED static void veer_expect_double(const char *what, double got, double expected)
{
    if (!veer_same_double(got, expected)) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s is %a, expected %a\n", veer_current, what, got, expected);
    }
}

VEER_UNUSED static void veer_expect_null(const char *what, const void *got, int expected)
{
    if ((got == NULL) != expected) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s is %s, expected %s\n", veer_current, what, got == NULL ? "NULL" : "a pointer",
                     expected ? "NULL" : "a pointer");
    }
}

VEER_UNUSED static void veer_expect_same(const char *what, const void *got, const void *expected, const char *name)
{
    if (got != expected) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s does not point to %s\n", veer_current, what, name);
    }
}

VEER_UNUSED static void veer_expect_bytes(const char *what, const volatile void *got, const void *expected, unsigned long size)
{
    const volatile unsigned char *seen = (const volatile unsigned char *)got;
    const unsigned char *wanted = (const unsigned char *)expected;
    unsigned long at = 0;
    while (at < size && seen[at] == wanted[at])
        at++;
    if (at < size) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: the %lu bytes at %s differ from the expected ones: byte %lu is %#x, expected %#x\n",
                     veer_current, size, what, at, seen[at], wanted[at]);
    }
}

VEER_UNUSED static void veer_expect_text(const char *what, const char *got, const char *expected)
{
    if (libc_strcmp(got, expected) != 0) {
        veer_failures++;
        libc_dprintf(veer_output, "# %s: %s is \"%s\", expected \"%s\"\n", veer_current, what, got, expected);
    }
}

VEER_UNUSED static int veer_is_there(const char *what, const void *got)
{
    veer_expect_null(what, got, 0);
    return got != NULL;
}

/* What a test looks at behind a pointer needs the pointer: without it the test ends here, failed. */
#ifndef VEER_ENDS
#define VEER_ENDS return
#endif
#define veer_expect_block(what, got) \
    do { \
        if (!veer_is_there(what, (const void *)(got))) \
            VEER_ENDS; \
    } while (0)
