/* An executor's main: maps everything at its fixed place, then obeys one-byte commands until the pipe closes.
   Arguments: file descriptors of the shared memory, the command pipe, the reply pipe; the process that started it, whose end is its
   own; 1 if the launcher has confined it, and has seen to that end already, else 0. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "endings.h"
#include "engine/attachment.h"
#include "engine/blocks.h"
#include "engine/evaluate.h"
#include "engine/expand.h"
#include "engine/mutation.h"
#include "engine/places.h"
#include "flows.h"
#include "globals.h"
#include "guard.h"
#include "kernel.h"
#include "memory_map.h"
#include "places.h"
#include "process.h"
#include "run.h"
#include "signals.h"
#include "veer_shared.h"

/* Descriptors below FIRST_FREE are those of files of a run (runtime/libc/files.h, MOST_DESCRIPTORS): the machine gives out none of them. */
enum { FIRST_FREE = 64, USUAL_DESCRIPTORS = 1024, FIRST_OWN_DESCRIPTOR = 4000 };

/* Reports why the executor cannot start, for whoever reads its standard error. */
static _Noreturn void give_up(const char *what) {
    fprintf(stderr, "veer executor: %s\n", what);
    _exit(4);
}

static void map(uint64_t address, uint64_t size, int protection, const char *what) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    if (mmap((void *)(uintptr_t)address, size, protection, flags, -1, 0) != (void *)(uintptr_t)address) give_up(what);
}

static void map_shared(int descriptor) {
    void *base = (void *)VEER_SHARED_BASE;
    int flags = MAP_SHARED | MAP_FIXED_NOREPLACE;
    if (mmap(base, VEER_SHARED_SIZE, PROT_READ | PROT_WRITE, flags, descriptor, 0) != base) give_up("cannot map the shared memory");
    mprotect((uint8_t *)base + ((sizeof(struct veer_control) + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1)), VEER_PAGE, PROT_NONE);
#define GUARD(offset, bytes) \
    mprotect((uint8_t *)base + (offset) + (((bytes) + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1)), VEER_PAGE, PROT_NONE);
    VEER_FOR_EACH_REGION(GUARD)
#undef GUARD
    if (VEER_CONTROL->magic != VEER_MAGIC || VEER_CONTROL->version != VEER_VERSION) give_up("the shared memory is of another version");
}

/* Before main: the engine's state between two guard pages (addresses around it are never mapped by veer). */
__attribute__((constructor)) static void map_engine(void) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
    mmap(ENGINE_BASE, sizeof(struct engine_places), PROT_READ | PROT_WRITE, flags, -1, 0);
}

static void map_all(int descriptor) {
    int use = PROT_READ | PROT_WRITE;
    map_shared(descriptor);
    map(VEER_SHADOW_BASE, VEER_SHADOW_SIZE, use, "cannot reserve the shadow memory (is vm.overcommit_memory 2?)");
    map(VEER_PRIVATE_BASE, VEER_PRIVATE_SIZE, use, "cannot map the tracer's state");
    map(VEER_SIGNAL_STACK, VEER_SIGNAL_STACK_SIZE, use, "cannot map the signal stack");
    map(VEER_HEAP_BASE, VEER_HEAP_SIZE, use, "cannot map the unit's heap");
    map(VEER_STACK_BASE, VEER_STACK_SIZE, use, "cannot map the unit's locals");
    map(VEER_COVERAGE_BASE, VEER_COVERAGE_SIZE, use, "cannot map the coverage bytes");
    map(VEER_HOT_BASE, (sizeof(struct veer_hot) + VEER_PAGE) & ~(uint64_t)(VEER_PAGE - 1), use, "cannot map the hot block");
    map(VEER_NATIVE_STACK_BASE - VEER_PAGE * 16ull, VEER_PAGE * 16ull, PROT_NONE, "cannot map the stack's guard");
    if (veer_has_flows()) {
        map(VEER_FLOW_SHADOW_BASE, VEER_SHADOW_SIZE, use, "cannot reserve the memory for flows (is vm.overcommit_memory 2?)");
        map(VEER_FLOWS_BASE, (sizeof(struct veer_flows) + VEER_PAGE) & ~(uint64_t)(VEER_PAGE - 1), use, "cannot map the flows of calls");
        map(VEER_FLOW_STATE_BASE, (sizeof(struct veer_flow_places) + VEER_PAGE - 1) & ~(uint64_t)(VEER_PAGE - 1), use, "cannot map the state of flows");
    }
    map(VEER_NATIVE_STACK_BASE, VEER_NATIVE_STACK_SIZE, use, "cannot map the unit's native stack");
}

/* exit() was called behind the instrumenter's back, by a library: the run ends, and so must this process. */
static void on_library_exit(int code, void *unused) {
    (void)unused;
    if (!RUN->in_run) return;
    PROCESS->untrusted = 1;
    VEER_CONTROL->exit_code = code;
    veer_finish(VEER_OUTCOME_EXITED);
}

/* Moves a descriptor of veer's beyond what a program that closes "all" of its descriptors thinks of. */
static int keep_away(int descriptor) {
    struct rlimit before, wide;
    int moved = -1;
    if (getrlimit(RLIMIT_NOFILE, &before) == 0 && before.rlim_max > FIRST_OWN_DESCRIPTOR + 16) {
        wide = before;
        wide.rlim_cur = before.rlim_max;
        setrlimit(RLIMIT_NOFILE, &wide);
        moved = fcntl(descriptor, F_DUPFD_CLOEXEC, FIRST_OWN_DESCRIPTOR);
        if (before.rlim_cur > USUAL_DESCRIPTORS) before.rlim_cur = USUAL_DESCRIPTORS;
        setrlimit(RLIMIT_NOFILE, &before); /* a descriptor above the limit stays open */
    }
    if (moved < 0) return descriptor;
    if (descriptor > 2) close(descriptor);
    return moved;
}

/* Limits, and standard streams that lead nowhere, unless VEER_SHOW_OUTPUT wants to see what the unit prints. */
static void set_up_process(void) {
    struct rlimit no_core = {0, 0}, file_size = {64 << 20, 64 << 20};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    PROCESS->errors = keep_away(2);
    PROCESS->show_output = getenv("VEER_SHOW_OUTPUT") != NULL;
    PROCESS->verify = getenv("VEER_VERIFY") != NULL;
    setrlimit(RLIMIT_CORE, &no_core);
    setrlimit(RLIMIT_FSIZE, &file_size);
    if (null < 0) give_up("cannot open /dev/null");
    dup2(null, 0);
    for (int number = 3; number < FIRST_FREE; number++)
        if (fcntl(number, F_GETFD) < 0) dup2(null, number);
    if (!PROCESS->show_output) dup2(null, 1), dup2(null, 2);
    on_exit(on_library_exit, NULL);
    veer_install_handlers();
}

/* A unit that hangs in code without steps never comes back to the pipe that a killed veer has closed. */
static void die_with(pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0); /* it was gone before that */
}

static enum veer_reply obey(uint8_t command) {
    veer_engine_ready();
    switch (command) {
    case VEER_COMMAND_RUN: return veer_command_run();
    case VEER_COMMAND_EXPAND: return veer_command_expand();
    case VEER_COMMAND_FOLLOW: return veer_command_follow();
    case VEER_COMMAND_DFS: return veer_command_dfs();
    case VEER_COMMAND_RESCAN: return veer_command_rescan();
    case VEER_COMMAND_AGAIN: return veer_command_again();
    case VEER_COMMAND_RELEASE: return veer_command_release();
    case VEER_COMMAND_MUTATE: return veer_command_mutate();
    case VEER_COMMAND_EVALUATE:
        veer_evaluate_begin(VEER_REGION(uint8_t, INBOX), VEER_CONTROL->inbox_length);
        VEER_CONTROL->answer = veer_evaluate(VEER_IDS[0]);
        return VEER_REPLY_DONE;
    default: return VEER_REPLY_DONE;
    }
}

int main(int argc, char **argv) {
    if (argc < 5) give_up("it is started by veer, with three file descriptors and the number of veer's process");
    int is_confined = argc > 5 && atoi(argv[5]);
    if (!is_confined) die_with((pid_t)atoi(argv[4]));
    map_all(atoi(argv[1]));
    PROCESS->command = keep_away(atoi(argv[2]));
    PROCESS->reply = keep_away(atoi(argv[3]));
    close(atoi(argv[1]));
    set_up_process();
    veer_register_globals();
    if (is_confined && veer_guard_begin(FIRST_OWN_DESCRIPTOR) != 0) give_up("the filter of its own system calls cannot be put in force");
    for (;;) {
        uint8_t command = 0, reply;
        if (VEER_KERNEL(SYS_read, PROCESS->command, &command, 1, 0, 0, 0) != 1 || command == VEER_COMMAND_QUIT) _exit(0);
        reply = (uint8_t)obey(command);
        if (PROCESS->untrusted && reply == VEER_REPLY_DONE) reply = VEER_REPLY_RESTART;
        if (VEER_KERNEL(SYS_write, PROCESS->reply, &reply, 1, 0, 0, 0) != 1) _exit(0);
    }
}
