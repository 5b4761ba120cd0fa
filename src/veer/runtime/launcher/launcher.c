/* What a replayed test is started by: limits first, then the test in the same process.

       launcher PARENT CPU_SECONDS ADDRESS_SPACE FILE_SIZE EXECUTABLE ARGUMENT...

   Python could do this between fork and exec, but then it has to copy its page tables for each test; it starts this
   program with vfork. The limits are hard, so that a test cannot harm the machine, whatever becomes of veer. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PARENT = 1, CPU_SECONDS, ADDRESS_SPACE, FILE_SIZE, EXECUTABLE };
enum { NOT_STARTED = 127 };

static void limit(int resource, const char *digits) {
    rlim_t most = strtoull(digits, 0, 10);
    struct rlimit both = {most, most};
    if (setrlimit(resource, &both)) {
        fprintf(stderr, "veer-launcher: a limit cannot be set: %s\n", strerror(errno));
        _exit(NOT_STARTED);
    }
}

int main(int argc, char **argv) {
    if (argc <= EXECUTABLE) return NOT_STARTED;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(argv[PARENT])) return NOT_STARTED; /* it died before the line above */
    limit(RLIMIT_CPU, argv[CPU_SECONDS]);
    limit(RLIMIT_AS, argv[ADDRESS_SPACE]);
    limit(RLIMIT_FSIZE, argv[FILE_SIZE]);
    limit(RLIMIT_CORE, "0");
    execv(argv[EXECUTABLE], argv + EXECUTABLE);
    fprintf(stderr, "veer-launcher: %s\n", strerror(errno));
    return NOT_STARTED;
}
