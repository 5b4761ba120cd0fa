{% if is_unity %}void setUp(void);
void tearDown(void);

{% endif -%}
/* ---- runner ------------------------------------------------------------------------------------------------- */

enum { VEER_RETURNS, VEER_EXITS, VEER_FAILS };

struct veer_case {
    int number;
    const char *name;
    void (*function)(void); /* NULL: it depends on what this machine has otherwise */
    int expected;           /* VEER_RETURNS, VEER_EXITS, VEER_FAILS */
    int exit_code;          /* with VEER_EXITS */
    const char *note;       /* of a bug what is shown, else what it depends on */
    int is_alone;           /* whether it passes only where no test ran before it */
};

static void veer_static_data(int is_start);

{% if is_unity -%}
static void veer_run_body(const struct veer_case *test)
{
    if (setjmp(veer_end_of_test) == 0 && TEST_PROTECT()) {
        setUp();
        test->function();
    }
    if (Unity.CurrentTestFailed) {
        veer_failures++;
        VEER_PUT('\n'); /* Unity leaves its line open */
    }
    if (TEST_PROTECT())
        tearDown();
}
{%- else -%}
static void veer_run_body(const struct veer_case *test)
{
    if (setjmp(veer_end_of_test) == 0)
        test->function();
}
{%- endif %}

/* Runs a test as the program begins; 1 = as expected. */
static int veer_run_one(const struct veer_case *test)
{
    veer_current = test->name;
    veer_failures = 0;
    veer_exit_code = -1;
    veer_forget_blocks();
#ifdef VEER_SEES_FREE
    veer_freed_count = 0;
    veer_blocks = 0;
#endif
    veer_static_data(0);
{%- if is_unity %}
    Unity.TestFile = "line";
    Unity.CurrentTestName = test->name;
    Unity.CurrentTestFailed = 0;
    Unity.NumberOfTests++;
{%- endif %}
    veer_run_body(test);
    if (veer_exit_code != (test->expected == VEER_EXITS ? test->exit_code : -1)) {
        veer_failures++;
        if (veer_exit_code >= 0)
            libc_dprintf(veer_output, "# %s: it ended by exit(%d)\n", test->name, veer_exit_code);
        else
            libc_dprintf(veer_output, "# %s: exit(%d) was expected\n", test->name, test->exit_code);
    }
{%- if is_unity %}
    Unity.TestFailures += veer_failures != 0;
{%- endif %}
    return veer_failures == 0;
}

static int veer_left_out; /* tests */

static int veer_reported(const struct veer_case *test, int number, int is_first)
{
    int passed;
    if (test->function == NULL || (test->is_alone && !is_first)) {
        veer_left_out++;
        libc_dprintf(veer_output, "ok %d - %s # SKIP depends on %s\n", number, test->name, test->note);
        return 1;
    }
    passed = veer_run_one(test);
    libc_dprintf(veer_output, "%s %d - %s\n", passed ? "ok" : "not ok", number, test->name);
    return passed;
}

{% set key = "name" -%}
{% include "found_case.c" %}
/* `key`: the number or name of the test that is run alone; NULL: all of them. */
VEER_UNUSED static int veer_suite(const char *key, const struct veer_case *tests, const struct veer_case *bugs)
{
    const struct veer_case *found = NULL;
    int i, count = 0, failed = 0;
    veer_static_data(1);
    if (key != NULL) {
        found = veer_find(tests, key);
        if (found == NULL)
            found = veer_find(bugs, key);
        if (found != NULL)
            return !veer_reported(found, found->number, 1);
        libc_dprintf(veer_output, "there is no test %s\n", key);
        return 2;
    }
    while (tests[count].name != NULL)
        count++;
    libc_dprintf(veer_output, "1..%d\n", count);
    for (i = 0; i < count; i++)
        failed += !veer_reported(&tests[i], i + 1, 0);
    libc_dprintf(veer_output, "# %d of %d tests passed\n", count - failed - veer_left_out, count);
    if (veer_left_out != 0)
        libc_dprintf(veer_output, "# %d left out: they depend on what this machine has otherwise\n", veer_left_out);
    for (i = 0; bugs[i].name != NULL; i++)
        if (bugs[i].number != 0)
            libc_dprintf(veer_output, "# bug %d, not run: %s\n", bugs[i].number, bugs[i].note);
    return failed != 0;
}
