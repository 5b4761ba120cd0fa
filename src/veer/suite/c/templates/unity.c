static int veer_run_here(const struct veer_case *test)
{
    UnityDefaultTestRun(test->function, test->name, test->line);
    return Unity.TestFailures != 0;
}

static int veer_run_all(const struct veer_case *tests, const char *file)
{
    extern int libc_printf(const char *, ...) __asm__("printf");
    volatile int *state = (volatile int *)libc_mmap(NULL, 4096, 3, 0x21, -1, 0); /* readable, writable; shared, anonymous */
    const struct veer_case *test;
    UnityBegin(file);
    for (test = tests; test->name != NULL; test++) {
        char why[64] = "";
        enum veer_end end = veer_run_apart(test, state, why);
        Unity.NumberOfTests++;
        Unity.TestFailures += end != VEER_PASSED;
        if (end == VEER_DIED)
            libc_printf("%s:%d:%s:FAIL: %s\n", file, test->line, test->name, why);
        else if (test->exit_code >= 0)
            libc_printf("%s:%d:%s:PASS\n", file, test->line, test->name);
    }
    return UnityEnd();
}
