{%- if "setUp" not in defines %}
void setUp(void) {}
{%- endif %}
{%- if "tearDown" not in defines %}
void tearDown(void) {}
{%- endif %}

static int veer_run_here(const struct veer_case *test)
{
    UnityDefaultTestRun(test->function, test->name, __LINE__);
    return Unity.TestFailures != 0;
}

static int veer_run_all(void)
{
    extern int libc_printf(const char *, ...) __asm__("printf");
    volatile int *state = (volatile int *)libc_mmap(NULL, 4096, 3, 0x21, -1, 0); /* readable, writable; shared, anonymous */
    const struct veer_case *test;
    UnityBegin("{{ file }}.c");
    for (test = veer_cases; test->name != NULL; test++) {
        char why[64] = "";
        enum veer_end end = veer_run_apart(test, state, why);
        Unity.NumberOfTests++;
        Unity.TestFailures += end != VEER_PASSED;
        if (end == VEER_DIED)
            libc_printf("{{ file }}.c:%d:%s:FAIL: %s\n", __LINE__, test->name, why);
        else if (test->exit_code >= 0)
            libc_printf("{{ file }}.c:%d:%s:PASS\n", __LINE__, test->name);
    }
    return UnityEnd();
}

{% if aside -%}
int veer_suite_main(void) __asm__("main");
int veer_suite_main(void)
{%- else -%}
int main(void)
{%- endif %}
{
    return veer_run_all() != 0;
}
