/* ---- runner ------------------------------------------------------------------------------------------------- */

#ifndef VEER_NOTE
#define VEER_NOTE "" /* what is said behind the tests */
#endif

enum { VEER_RETURNS, VEER_EXITS, VEER_FAILS };
enum { VEER_STARTED = 1, VEER_PASSED, VEER_FAILED };

enum { VEER_SECONDS = {{ seconds }} }; /* of each test */

#define VEER_NAMED(function) function, #function

struct veer_case {
    int number;
    const char *key; /* in veer's reports */
    void (*function)(void);
    const char *name; /* of the function */
    int expected;  /* VEER_RETURNS, VEER_EXITS, VEER_FAILS */
    int exit_code; /* with VEER_EXITS */
    const char *note;
    const char *printed; /* what it writes to standard output; NULL: whatever */
    long printed_size;
};

/* The beginning of a text on one line. */
static void veer_show(const char *text, long size)
{
    long i;
    for (i = 0; i < size && i < 200; i++)
        libc_dprintf(veer_output, text[i] >= ' ' && text[i] <= '~' ? "%c" : "\\%03o", (unsigned char)text[i]);
}

/* Whether the test, whose standard output is in this file, wrote what it should. */
static int veer_printed_as_expected(const struct veer_case *test, int file)
{
    long size = libc_lseek(file, 0, 2);
    const char *text = (const char *)libc_mmap(NULL, (unsigned long)size + 1, 1, 2, file, 0); /* readable; private */
    if (size == test->printed_size && __builtin_memcmp(text, test->printed, (unsigned long)size) == 0)
        return 1;
    libc_dprintf(veer_output, "# %s: it printed \"", test->name);
    veer_show(text, size);
    libc_dprintf(veer_output, "\", expected \"");
    veer_show(test->printed, test->printed_size);
    libc_dprintf(veer_output, "\"\n");
    return 0;
}

/* Runs the test in a process of its own, as each was recorded in fresh memory; 1 = as expected. */
static int veer_run_apart(const struct veer_case *test, volatile int *state)
{
    int status = 0;
    int process;
    int file = test->printed != NULL ? libc_memfd_create("stdout", 0) : -1;
    *state = VEER_STARTED;
    process = libc_fork();
    if (process < 0)
        return 0;
    if (process == 0) {
        int ends[2];
        libc_alarm(VEER_SECONDS);
        if (libc_pipe(ends) == 0) { /* nothing is read from the user's terminal, or written there */
            libc_dup2(ends[0], 0);
            libc_close(ends[0]);
            libc_close(ends[1]);
        }
        if (file >= 0) {
            libc_dup2(file, 1);
            libc_close(file);
        }
        test->function();
        *state = veer_failures == 0 ? VEER_PASSED : VEER_FAILED;
        libc_exit(0);
    }
    if (libc_waitpid(process, &status, 0) != process)
        return 0;
    if ((status & 0x7f) != 0) {
        libc_close(file);
        libc_dprintf(veer_output, "# %s: ended by signal %d\n", test->name, status & 0x7f);
        return 0;
    }
    status = status >> 8 & 0xff;
    if (file >= 0) {
        int is_expected = veer_printed_as_expected(test, file);
        libc_close(file);
        if (!is_expected)
            return 0;
    }
    if (test->expected == VEER_EXITS) {
        if (*state != VEER_STARTED || status != test->exit_code)
            libc_dprintf(veer_output, "# %s: exit(%d) was expected\n", test->name, test->exit_code);
        return *state == VEER_STARTED && status == test->exit_code;
    }
    if (*state == VEER_STARTED || status != 0)
        libc_dprintf(veer_output, "# %s: ended with exit code %d\n", test->name, status);
    return *state == VEER_PASSED && status == 0;
}

static int veer_run_all(const struct veer_case *tests, const struct veer_case *bugs)
{
    int i;
    int count = 0;
    int failed = 0;
    volatile int *state = (volatile int *)libc_mmap(NULL, 4096, 3, 0x21, -1, 0); /* readable, writable; shared, anonymous */
    while (tests[count].key != NULL)
        count++;
    libc_dprintf(veer_output, "1..%d\n", count);
    for (i = 0; i < count; i++) {
        int passed;
        veer_current = tests[i].name;
        passed = veer_run_apart(&tests[i], state);
        failed += !passed;
        libc_dprintf(veer_output, "%s %d - %s\n", passed ? "ok" : "not ok", i + 1, tests[i].name);
    }
    libc_dprintf(veer_output, "# %d of %d tests passed\n", count - failed, count);
    if (failed != 0 && (sizeof(long) != 8 || sizeof(void *) != 8))
        libc_dprintf(veer_output, "# they were made where a long and a pointer have 8 bytes; here a long has %d, a pointer %d\n",
                     (int)sizeof(long), (int)sizeof(void *));
    if (VEER_NOTE[0] != 0)
        libc_dprintf(veer_output, "# %s\n", VEER_NOTE);
    for (i = 0; bugs[i].key != NULL; i++)
        if (bugs[i].number != 0)
            libc_dprintf(veer_output, "# bug %d, not run (--bug %d): %s\n", bugs[i].number, bugs[i].number, bugs[i].note);
    return failed != 0;
}

/* One test in this process, for a debugger and for a replay. */
static int veer_run_here(const struct veer_case *test)
{
    veer_current = test->name;
    test->function();
    if (test->expected != VEER_RETURNS)
        libc_dprintf(veer_output, "# %s: the function returned\n", test->name);
    libc_dprintf(veer_output, "%s %d - %s\n", veer_failures == 0 && test->expected != VEER_EXITS ? "ok" : "not ok", test->number, test->name);
    return veer_failures != 0 || test->expected != VEER_RETURNS;
}

{% set key = "key" -%}
{% include "found_case.c" %}
static int veer_list(const struct veer_case *tests, const struct veer_case *bugs)
{
    int i;
    for (i = 0; tests[i].key != NULL; i++)
        libc_dprintf(veer_output, "--test %s  %s\n", tests[i].key, tests[i].name);
    for (i = 0; bugs[i].key != NULL; i++)
        libc_dprintf(veer_output, "--bug %s  %s: %s\n", bugs[i].key, bugs[i].name, bugs[i].note);
    return 0;
}

VEER_UNUSED static int veer_suite(int argc, char **argv, const struct veer_case *tests, const struct veer_case *bugs)
{
    const struct veer_case *found = NULL;
    veer_output = libc_fcntl(1, 0, 199); /* F_DUPFD: the low numbers are the unit's */
    if (argc == 1)
        return veer_run_all(tests, bugs);
    if (argc == 2 && libc_strcmp(argv[1], "--list") == 0)
        return veer_list(tests, bugs);
    if (argc == 3 && libc_strcmp(argv[1], "--test") == 0)
        found = veer_find(tests, argv[2]);
    if (argc == 3 && libc_strcmp(argv[1], "--bug") == 0)
        found = veer_find(bugs, argv[2]);
    if (found == NULL) {
        libc_dprintf(2, "usage: %s [--list | --test NAME or NUMBER | --bug NAME or NUMBER]\n", argv[0]);
        return 2;
    }
    return veer_run_here(found);
}
