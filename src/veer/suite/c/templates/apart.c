/* ---- runner -------------------------------------------------------------------------------------------------- */

enum { VEER_SECONDS = {{ seconds }} }; /* of each test */

struct veer_case {
    const char *name;
    {{ "void (*function)(void **)" if title == "CMocka" else "void (*function)(void)" }};
    int line;
    int exit_code; /* the code that it is expected to exit with, or -1 */
};

enum veer_end { VEER_PASSED, VEER_REPORTED, VEER_DIED };
enum { VEER_STARTED = 1, VEER_CAME_BACK, VEER_CAME_BACK_FAILED };

static int veer_run_here(const struct veer_case *test);
extern int libc_fflush(void *) __asm__("fflush");

/* Runs a test in a process of its own, as each was recorded in fresh memory. `why` gets the reason when it died. */
static enum veer_end veer_run_apart(const struct veer_case *test, volatile int *state, char why[64])
{
    extern int libc_snprintf(char *, unsigned long, const char *, ...) __asm__("snprintf");
    int status = 0;
    int process;
    *state = VEER_STARTED;
    libc_fflush(NULL);
    process = libc_fork();
    if (process == 0) {
        libc_alarm(VEER_SECONDS);
        if (test->exit_code < 0)
            *state = veer_run_here(test) ? VEER_CAME_BACK_FAILED : VEER_CAME_BACK;
        else
            test->function({{ "NULL" if title == "CMocka" else "" }});
        libc_exit(test->exit_code < 0 ? 0 : test->exit_code + 1);
    }
    if (process < 0 || libc_waitpid(process, &status, 0) != process) {
        libc_snprintf(why, 64, "no process could be started");
        return VEER_DIED;
    }
    if ((status & 0x7f) != 0) {
        libc_snprintf(why, 64, "ended by signal %d", status & 0x7f);
        return VEER_DIED;
    }
    status = status >> 8 & 0xff;
    if (test->exit_code >= 0 ? status == test->exit_code : *state == VEER_CAME_BACK && status == 0)
        return VEER_PASSED;
    if (*state == VEER_CAME_BACK_FAILED)
        return VEER_REPORTED;
    if (test->exit_code >= 0)
        libc_snprintf(why, 64, "exit(%d) was expected", test->exit_code);
    else
        libc_snprintf(why, 64, "ended with exit code %d", status);
    return VEER_DIED;
}

