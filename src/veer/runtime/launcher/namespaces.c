/* Namespaces: of mounts, where all is read-only; of processes, networks and System V's memory, for --sandbox strict.

       veer ──► launcher ──fork──► init, process 1 ──fork──► the test
                   │ waits            │ reaps, ends when the test ends, and with it all that is left
                   ▼                  ▼
                   ends as the test ended

   A user's process has to have user ids of its own for that; they are mapped to themselves. Process 1 would not die of its own
   signals (abort): therefore there is one in between. */
#define _GNU_SOURCE
#include "namespaces.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SET_ATTRIBUTES = 442, ALL_BELOW = 0x8000, READ_ONLY = 1 };
struct attributes {
    uint64_t set, clear, propagation, user;
};

static int write_text(const char *path, const char *text) {
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t written = write(file, text, strlen(text));
    close(file);
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

/* New namespaces; an ordinary user needs one of user ids before. */
static int enter(int kinds) {
    char user[64], group[64];
    if (unshare(kinds) == 0) return 0;
    snprintf(user, sizeof user, "%u %u 1", geteuid(), geteuid());
    snprintf(group, sizeof group, "%u %u 1", getegid(), getegid());
    if (unshare(kinds | CLONE_NEWUSER) != 0) return -1;
    write_text("/proc/self/setgroups", "deny");
    return write_text("/proc/self/uid_map", user) || write_text("/proc/self/gid_map", group) ? -1 : 0;
}

static int read_only(const char *path, int is_read_only) {
    struct attributes wanted = {is_read_only ? READ_ONLY : 0, is_read_only ? 0 : READ_ONLY, 0, 0};
    return (int)syscall(SET_ATTRIBUTES, AT_FDCWD, path, is_read_only ? ALL_BELOW : 0, &wanted, sizeof wanted);
}

int leave_mounts(const char *const *written, unsigned count) {
    if (enter(CLONE_NEWNS) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0) return -1;
    for (unsigned k = 0; k < count; k++)
        if (mount(written[k], written[k], NULL, MS_BIND, NULL) != 0) return -1;
    if (read_only("/", 1) != 0) return -1;
    for (unsigned k = 0; k < count; k++)
        if (read_only(written[k], 0) != 0) return -1;
    char here[4096]; /* the working directory of before lies below what was bound, not in it */
    return getcwd(here, sizeof here) && chdir(here) == 0 ? 0 : -1;
}

int leave_processes(void) { return enter(CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC); }

static _Noreturn void end_as(int status) {
    if (WIFSIGNALED(status)) {
        signal(WTERMSIG(status), SIG_DFL);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        kill(getpid(), WTERMSIG(status));
    }
    _exit(WIFEXITED(status) ? WEXITSTATUS(status) : NOT_STARTED);
}

/* Waits for this child, and reaps all others. */
static int wait_for(pid_t child) {
    int status = 0;
    for (;;) {
        pid_t ended = waitpid(-1, &status, 0);
        if (ended == child) return status;
        if (ended < 0 && errno != EINTR) return NOT_STARTED << 8;
    }
}

static void become_child(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(NOT_STARTED);
}

/* Returns in the process that becomes the test. Its status comes up through the two others. */
void become_the_second(const struct orders *orders) {
    int told[2];
    pid_t own = getpid(), init;
    (void)orders;
    if (pipe2(told, O_CLOEXEC) != 0 || (init = fork()) < 0) not_started("a process cannot be made");
    if (init) {
        int status = NOT_STARTED << 8, code;
        close(told[1]);
        code = wait_for(init);
        if (read(told[0], &status, sizeof status) != sizeof status) status = code;
        end_as(status);
    }
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* `own` has no number in here: a parent that is gone already is seen by its pipe */
    (void)own;
    pid_t test = fork();
    if (test < 0) _exit(NOT_STARTED);
    if (test) {
        int status = wait_for(test);
        _exit(write(told[1], &status, sizeof status) == sizeof status ? 0 : NOT_STARTED);
    }
    become_child(1);
    close(told[0]);
    close(told[1]);
}
