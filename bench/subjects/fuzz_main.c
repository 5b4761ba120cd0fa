/* A harness of ours (-DHARNESS='"..._harness.c"') for those who give one byte string: klee_make_symbolic takes its next bytes, zeros
   behind its end. -DTARGET='"..."' names a file with a fuzz target instead. With -DREPLAYS=1 the program runs the files that it is given, and counts for gcov what a run that dies covers, too. */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef TARGET
#include TARGET
#else
#define main harness_main
#include HARNESS
#undef main

static const uint8_t *next;
static size_t left;

void klee_make_symbolic(void *object, size_t size, const char *name) {
    size_t given = size < left ? size : left;
    (void)name;
    memset(object, 0, size);
    if (given) memcpy(object, next, given);
    next += given;
    left -= given;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    next = data;
    left = size;
    harness_main();
    return 0;
}
#endif

#if REPLAYS
void __gcov_dump(void);
enum { MOST_BYTES = 1 << 20, SECONDS = 2 };

static void on_signal(int number) {
    (void)number;
    __gcov_dump();
    _exit(1);
}

/* Runs files until one of them ends the process; how many it came to is written to the pipe. */
static void run_from(char **files, int count, int first, int out) {
    static uint8_t bytes[MOST_BYTES];
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGALRM};
    for (unsigned k = 0; k < sizeof numbers / sizeof *numbers; k++) signal(numbers[k], on_signal);
    for (int k = first; k < count; k++) {
        FILE *file = fopen(files[k], "rb");
        size_t size = file ? fread(bytes, 1, sizeof bytes, file) : 0;
        if (file) fclose(file);
        if (write(out, &k, sizeof k) != sizeof k) _exit(1);
        alarm(SECONDS);
        LLVMFuzzerTestOneInput(bytes, size);
    }
    exit(0);
}

int main(int count, char **files) {
    for (int first = 1; first < count;) {
        int ends[2], at = first;
        if (pipe(ends) != 0) return 2;
        pid_t child = fork();
        if (child == 0) run_from(files, count, first, ends[1]);
        close(ends[1]);
        while (read(ends[0], &at, sizeof at) == sizeof at) first = at + 1;
        close(ends[0]);
        waitpid(child, NULL, 0);
    }
    return 0;
}
#endif
