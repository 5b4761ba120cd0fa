static int veer_run_here(const struct veer_case *test)
{
    const struct CMUnitTest one[] = { { test->name, test->function, NULL, NULL, NULL } };
    int failed = cmocka_run_group_tests_name(test->name, one, NULL, NULL);
    if (failed && *veer_about != '\0')
        print_error("[   ABOUT  ] %s: %s\n", test->name, veer_about);
    return failed;
}

static int veer_run_all(const struct veer_case *tests, const char *file)
{
    extern int libc_printf(const char *, ...) __asm__("printf");
    volatile int *state = (volatile int *)libc_mmap(NULL, 4096, 3, 0x21, -1, 0); /* readable, writable; shared, anonymous */
    const struct veer_case *test;
    int count = 0;
    int failed = 0;
    for (test = tests; test->name != NULL; test++) {
        char why[64] = "";
        enum veer_end end = veer_run_apart(test, state, why);
        count++;
        failed += end != VEER_PASSED;
        if (end == VEER_DIED)
            libc_printf("[  FAILED  ] %s: %s\n", test->name, why);
        else if (test->exit_code >= 0)
            libc_printf("[       OK ] %s\n", test->name);
    }
    libc_printf("%s: %d of %d tests passed\n", file, count - failed, count);
    return failed;
}
