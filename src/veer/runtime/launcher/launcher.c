/* What executors, replayed tests and tools that run a user's code are started by: limits first, then what confines them, then the
   program in the same process.

       launcher parent=N [LIMIT=N]... [sandbox=executor|replay|tool GRANT... read=PATH... write=PATH... [sockets]] -- EXECUTABLE ARGUMENT...
       launcher probe

   LIMIT is cpu (seconds), memory (bytes of address space), file (bytes of any one) or processes. GRANT is files (Landlock), calls
   (seccomp), mounts or processes (namespaces): what is to be used of what the kernel grants, as `probe` prints it.

   Python could do this between fork and exec, but then it has to copy its page tables for each test; it starts this
   program with vfork. The limits are hard, so that a test cannot harm the machine, whatever becomes of veer. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "files.h"
#include "namespaces.h"
#include "privileges.h"
#include "words.h"

_Noreturn void not_started(const char *what) {
    fprintf(stderr, "veer-launcher: %s: %s\n", what, strerror(errno));
    _exit(NOT_STARTED);
}

static void limit(int resource, const char *digits) {
    rlim_t most = strtoull(digits, 0, 10);
    struct rlimit both = {most, most};
    if (*digits && setrlimit(resource, &both)) not_started("a limit cannot be set");
}

/* Linux's usual number, which runs have, too (runtime/libc/descriptors.c): a replay does not hang on the user's own limit. */
enum { MOST_DESCRIPTORS = 1024 };

static void limit_descriptors(void) {
    struct rlimit both;
    if (getrlimit(RLIMIT_NOFILE, &both) != 0 || both.rlim_cur <= MOST_DESCRIPTORS) return;
    both.rlim_cur = MOST_DESCRIPTORS;
    if (setrlimit(RLIMIT_NOFILE, &both)) not_started("the limit of descriptors cannot be set");
}

static const char *value_of(const char *word, const char *name) {
    size_t length = strlen(name);
    return strncmp(word, name, length) == 0 && word[length] == '=' ? word + length + 1 : NULL;
}

static void add(const char **paths, unsigned *count, const char *path) {
    errno = E2BIG;
    if (*count == MOST_PATHS) not_started("there are too many folders");
    paths[(*count)++] = path;
}

static void take(struct orders *orders, const char *word) {
    const char *value;
    if ((value = value_of(word, "parent"))) orders->parent = value;
    else if ((value = value_of(word, "cpu"))) orders->processor = value;
    else if ((value = value_of(word, "memory"))) orders->memory = value;
    else if ((value = value_of(word, "file"))) orders->file = value;
    else if ((value = value_of(word, "processes"))) orders->processes = value;
    else if ((value = value_of(word, "sandbox"))) {
        orders->is_confined = 1;
        orders->role = strcmp(value, "executor") == 0 ? EXECUTOR : strcmp(value, "replay") == 0 ? REPLAY : TOOL;
    } else if ((value = value_of(word, "read"))) add(orders->read, &orders->read_count, value);
    else if ((value = value_of(word, "write"))) add(orders->write, &orders->write_count, value);
    else if (strcmp(word, "sockets") == 0) orders->has_sockets = 1;
    else if (strcmp(word, "files") == 0) orders->has_files = 1;
    else if (strcmp(word, "calls") == 0) orders->has_filter = 1;
    else if (strcmp(word, "mounts") == 0) orders->has_mounts = 1;
    else if (strcmp(word, "processes") == 0) orders->has_processes = 1;
    else {
        errno = EINVAL;
        not_started(word);
    }
}

/* Whether it succeeds in a process of its own. */
static int succeeds(int (*try)(void)) {
    int status;
    pid_t child = fork();
    if (child == 0) _exit(try() == 0 ? 0 : 1);
    return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

static int try_mounts(void) { return leave_mounts(NULL, 0); }

static int try_processes(void) {
    if (leave_processes() != 0) return -1;
    pid_t first = fork(); /* the first one is process 1: where there may be none, this fails */
    int status;
    if (first == 0) _exit(getpid() == 1 ? 0 : 1);
    return first > 0 && waitpid(first, &status, 0) == first ? status : -1;
}

static int probe(void) {
    printf("files=%d calls=%d mounts=%d processes=%d\n", landlock_version(), has_seccomp(), succeeds(try_mounts), succeeds(try_processes));
    return 0;
}

/* When memory runs out, the kernel ends what veer started, not veer. */
static void be_the_first_to_go(void) {
    int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
    if (file < 0) return;
    if (write(file, "1000", 4) != 4) errno = 0; /* nothing is lost but the preference */
    close(file);
}

static void confine(const struct orders *orders) {
    be_the_first_to_go();
    if (orders->has_mounts && leave_mounts(orders->write, orders->write_count) != 0) not_started("there are no mounts of its own");
    if (orders->has_processes && leave_processes() != 0) not_started("there are no processes of its own");
    if (orders->has_processes) become_the_second(orders);
    give_up_privileges();
    if (orders->has_files) confine_files(orders);
    if (orders->has_filter) confine_calls(orders);
}

int main(int argc, char **argv) {
    static struct orders orders = {.parent = "0", .processor = "", .memory = "", .file = "", .processes = ""};
    int at = 1;
    if (argc == 2 && strcmp(argv[1], "probe") == 0) return probe();
    for (; at < argc && strcmp(argv[at], "--") != 0; at++) take(&orders, argv[at]);
    if (at + 1 >= argc) return NOT_STARTED;
    orders.command = argv + at + 1;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != atoi(orders.parent)) return NOT_STARTED; /* it died before the line above */
    limit(RLIMIT_CPU, orders.processor);
    limit(RLIMIT_FSIZE, orders.file);
    limit(RLIMIT_CORE, "0");
    if (orders.role == REPLAY) limit_descriptors();
    if (orders.is_confined) confine(&orders);
    limit(RLIMIT_AS, orders.memory);
    limit(RLIMIT_NPROC, orders.processes);
    execv(orders.command[0], orders.command);
    fprintf(stderr, "veer-launcher: %s\n", strerror(errno));
    return NOT_STARTED;
}
