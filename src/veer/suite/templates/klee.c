
void klee_make_symbolic(void *address, unsigned long size, const char *name) { veer_take(address, size, name); }
void klee_assume(unsigned long condition) { veer_precondition(condition != 0); }
int klee_range(int begin, int end, const char *name)
{
    int value;
    veer_take(&value, sizeof value, name);
    veer_precondition(value >= begin && value < end);
    return value;
}
int klee_int(const char *name)
{
    int value;
    veer_take(&value, sizeof value, name);
    return value;
}
__attribute__((noreturn)) void klee_silent_exit(int status)
{
    libc_exit(status);
    __builtin_unreachable();
}
__attribute__((noreturn)) void klee_abort(void)
{
    libc_abort();
    __builtin_unreachable();
}
__attribute__((noreturn)) void klee_report_error(const char *file, int line, const char *message, const char *suffix)
{
    (void)file, (void)line, (void)suffix;
    veer_assertion(0, message);
    __builtin_unreachable();
}
