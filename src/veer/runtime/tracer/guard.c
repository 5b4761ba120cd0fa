/* The executor's own filter of system calls, behind the launcher's (runtime/launcher/calls.c). The unit shares its process with the
   engine; no system call of the unit's may write into the engine's memory, take it away, or touch its descriptors. Calls of
   veer's own come from one place (kernel.c), which the filter lets through.

       unit ──syscall──► launcher's filter ──► this one ──► kernel
                              │ refused            │ refused, or a path
                              └──────► SIGSYS ◄────┘
                                         │ a path: the call is made again from veer's own place, within Landlock's rules
                                         └ refused: the run ends, and the ledger says so */
#define _GNU_SOURCE
#include "guard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "declared.h"
#include "endings.h"
#include "engine/ledger.h"
#include "kernel.h"
#include "memory_map.h"
#include "process.h"
#include "run.h"
#include "sites.h"
#include "veer_filter.h"
#include "veer_runtime.h"
#include "veer_shared.h"

enum { MOST_DESCRIPTORS = 64, SETS_FILTER = 22, BY_FILTER = 1, MOST_OF_A_PATH = 64 };
#define MORE_MEMORY (6ull << 30)

/* Halves of addresses: veer's own memory lies above VEER_OWN_BEGIN, the unit's and what goes with it below 2^32. */
#define OWN_HIGH ((uint32_t)(VEER_OWN_BEGIN >> 32))
#define OWN_HIGH_END ((uint32_t)(VEER_OWN_END >> 32))
#define STACK_HIGH_END ((uint32_t)((VEER_NATIVE_STACK_BASE + VEER_NATIVE_STACK_SIZE) >> 32) + 1) /* the unit's native stack, too */
#define BEFORE_OWN (OWN_HIGH - 0x20u) /* 128 GiB: no range that is shorter than LONG_HIGH reaches it from below */
#define LONG_HIGH 0x10u

/* Calls that write to memory: their pointers, as bits of their arguments. */
static const struct { uint16_t number, pointers; } writers[] = {
    {SYS_read, 2}, {SYS_pread64, 2}, {SYS_stat, 2}, {SYS_fstat, 2}, {SYS_lstat, 2}, {SYS_poll, 1}, {SYS_ppoll, 5}, {SYS_select, 30},
    {SYS_pselect6, 30}, {SYS_rt_sigprocmask, 4}, {SYS_rt_sigpending, 1}, {SYS_rt_sigtimedwait, 2}, {SYS_pipe, 1}, {SYS_pipe2, 1},
    {SYS_nanosleep, 2}, {SYS_clock_nanosleep, 8}, {SYS_getitimer, 2}, {SYS_uname, 1}, {SYS_getdents, 2},
    {SYS_getdents64, 2}, {SYS_getcwd, 1}, {SYS_readlink, 2}, {SYS_readlinkat, 4}, {SYS_gettimeofday, 3}, {SYS_getrlimit, 2},
    {SYS_getrusage, 2}, {SYS_sysinfo, 1}, {SYS_times, 1}, {SYS_getgroups, 2}, {SYS_getresuid, 7}, {SYS_getresgid, 7}, {SYS_capget, 3},
    {SYS_sigaltstack, 2}, {SYS_statfs, 2}, {SYS_fstatfs, 2}, {SYS_sched_getparam, 2}, {SYS_sched_rr_get_interval, 2}, {SYS_arch_prctl, 2},
    {SYS_time, 1}, {SYS_futex, 17}, {SYS_sched_getaffinity, 4}, {SYS_epoll_wait, 2}, {SYS_epoll_pwait, 2}, {SYS_set_tid_address, 1},
    {SYS_timer_settime, 8}, {SYS_timer_gettime, 2}, {SYS_clock_gettime, 2}, {SYS_clock_getres, 2}, {SYS_wait4, 10}, {SYS_waitid, 20},
    {SYS_newfstatat, 4}, {SYS_set_robust_list, 1}, {SYS_get_robust_list, 6}, {SYS_timerfd_settime, 8}, {SYS_timerfd_gettime, 2},
    {SYS_getcpu, 3}, {SYS_getrandom, 1}, {SYS_statx, 16}, {334 /* rseq */, 1}, {SYS_get_mempolicy, 3}, {SYS_mincore, 4},
    {SYS_clone, 30}, {SYS_name_to_handle_at, 12}, {SYS_socketpair, 8},
    {SYS_recvfrom, 50}, {SYS_accept, 6}, {SYS_accept4, 6}, {SYS_getsockname, 6}, {SYS_getpeername, 6}, {SYS_getsockopt, 24}};
/* Calls that change a range of memory. */
static const uint16_t changers[] = {SYS_munmap, SYS_mprotect, SYS_mremap, SYS_madvise};
/* Calls on descriptors: which arguments are ones, as bits. Those with pointers, too, stand in `writers` alone, and are asked there. */
static const struct { uint16_t number, descriptors; } users[] = {
    {SYS_write, 1}, {SYS_close, 1}, {SYS_pwrite64, 1}, {SYS_writev, 1}, {SYS_pwritev, 1}, {SYS_pwritev2, 1}, {SYS_dup, 1}, {SYS_dup2, 3},
    {SYS_dup3, 3}, {SYS_fcntl, 1}, {SYS_ioctl, 1}, {SYS_lseek, 1}, {SYS_flock, 1}, {SYS_tee, 3}, {SYS_epoll_ctl, 4}, {SYS_fadvise64, 1}};
/* What would reach the engine in a way that no filter can look at, replaces the process, or is nobody's business in a run. */
static const uint16_t refused[] = {SYS_readv, SYS_preadv, SYS_preadv2, SYS_execve, SYS_prctl, SYS_timer_create, SYS_splice, SYS_sendfile,
                                   SYS_copy_file_range, SYS_ftruncate, SYS_fallocate, SYS_chdir, SYS_fchdir, 436 /* close_range */,
                                   SYS_open, SYS_openat, SYS_signalfd4, SYS_setitimer, SYS_alarm, SYS_recvmsg};

static void refuse_descriptors(struct veer_filter *filter, uint32_t bits, uint32_t first) {
    for (uint32_t k = 0; bits >> k; k++) {
        if (!(bits >> k & 1)) continue;
        veer_filter_load(filter, veer_filter_low(k));
        veer_filter_add(filter, VEER_BPF_AT_LEAST, first, 0, 2);
        veer_filter_add(filter, VEER_BPF_AT_LEAST, first + MOST_DESCRIPTORS, 1, 0);
        veer_filter_return(filter, filter->refusal);
    }
}

static void refuse_pointers(struct veer_filter *filter, uint32_t bits) {
    for (uint32_t k = 0; bits >> k; k++) {
        if (!(bits >> k & 1)) continue;
        veer_filter_on_high(filter, k, OWN_HIGH, OWN_HIGH_END, filter->refusal);
        veer_filter_on_low(filter, k, VEER_COVERAGE_BASE, 0x80000000u, filter->refusal);
    }
}

/* A range that lies in veer's memory, or may reach it, or is the unit's own. */
static void refuse_range(struct veer_filter *filter, uint32_t begin, uint32_t length) {
    veer_filter_on_high(filter, begin, BEFORE_OWN, STACK_HIGH_END, filter->refusal);
    veer_filter_on_high(filter, begin, 0, 1, filter->refusal);
    veer_filter_on_high(filter, length, LONG_HIGH, 0xffffffffu, filter->refusal);
}

static void let_veer_through(struct veer_filter *filter) {
    uint64_t place = (uint64_t)(uintptr_t)veer_kernel_place;
    veer_filter_load(filter, VEER_SECCOMP_PLACE);
    veer_filter_add(filter, VEER_BPF_EQUAL, (uint32_t)place, 0, 3);
    veer_filter_load(filter, VEER_SECCOMP_PLACE + 4);
    veer_filter_add(filter, VEER_BPF_EQUAL, (uint32_t)(place >> 32), 0, 1);
    veer_filter_return(filter, VEER_FILTER_ALLOW);
}

static void guard_memory(struct veer_filter *filter, uint32_t first_descriptor) {
    for (unsigned k = 0; k < sizeof writers / sizeof *writers; k++) {
        uint32_t head = veer_filter_call(filter, writers[k].number);
        refuse_pointers(filter, writers[k].pointers);
        if (writers[k].number == SYS_read || writers[k].number == SYS_pread64) refuse_descriptors(filter, 1, first_descriptor);
        veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
    }
    for (unsigned k = 0; k < sizeof changers / sizeof *changers; k++) {
        uint32_t head = veer_filter_call(filter, changers[k]);
        refuse_range(filter, 0, 1);
        if (changers[k] == SYS_mremap) veer_filter_on_bits(filter, 3, MREMAP_FIXED, filter->refusal);
        veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
    }
    uint32_t head = veer_filter_call(filter, SYS_mmap); /* without MAP_FIXED nothing is replaced */
    veer_filter_load(filter, veer_filter_low(3));
    veer_filter_add(filter, VEER_BPF_ANY_BIT, MAP_FIXED, 1, 0);
    veer_filter_return(filter, VEER_FILTER_ALLOW);
    refuse_range(filter, 0, 1);
    veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
    head = veer_filter_call(filter, SYS_prlimit64); /* limits may be asked for */
    veer_filter_on_value(filter, 2, 0, VEER_FILTER_ALLOW);
    veer_filter_end_call(filter, head, filter->refusal);
    head = veer_filter_call(filter, SYS_rt_sigaction); /* who handles SIGSYS handles what is refused */
    veer_filter_on_value(filter, 0, SIGSYS, filter->refusal);
    refuse_pointers(filter, 4);
    veer_filter_load(filter, veer_filter_low(1)); /* another handler: the next run needs veer's own again */
    veer_filter_add(filter, VEER_BPF_EQUAL, 0, 1, 0);
    veer_filter_return(filter, filter->refusal);
    veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
}

/* What ends or stops a process without a handler: a run of the unit's ends so by `refuse`, and who sees this process end by SIGKILL
   knows that somebody else has sent it. */
static void guard_life(struct veer_filter *filter) {
    static const struct { uint16_t number, signal; } senders[] = {{SYS_kill, 1}, {SYS_tkill, 1}, {SYS_tgkill, 2}, {SYS_rt_sigqueueinfo, 1}, {297, 2}};
    for (unsigned k = 0; k < sizeof senders / sizeof *senders; k++) {
        uint32_t head = veer_filter_call(filter, senders[k].number);
        veer_filter_on_value(filter, senders[k].signal, SIGKILL, filter->refusal);
        veer_filter_on_value(filter, senders[k].signal, SIGSTOP, filter->refusal);
        veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
    }
}

static void guard_descriptors(struct veer_filter *filter, uint32_t first_descriptor) {
    for (unsigned k = 0; k < sizeof users / sizeof *users; k++) {
        uint32_t head = veer_filter_call(filter, users[k].number);
        refuse_descriptors(filter, users[k].descriptors, first_descriptor);
        if (users[k].number == SYS_ioctl) refuse_pointers(filter, 4);
        veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
    }
}

/* Beyond what is mapped already, and what a compositional run maps for its record: most of both takes no memory. */
static void limit_memory(void) {
    unsigned long long size = 0, data = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    int known = file && fscanf(file, "%llu %*u %*u %*u %*u %llu", &size, &data) == 2;
    if (file) fclose(file);
    if (!known) return;
    unsigned long long record = VEER_CONTROL->compositional ? OWNERS_SIZE : 0, limit = data * VEER_PAGE + record + MORE_MEMORY;
    struct rlimit most = {limit, limit};
    setrlimit(RLIMIT_DATA, &most);
}

int veer_guard_begin(int first_descriptor) {
    static struct veer_filter filter;
    uint32_t first = (uint32_t)first_descriptor;
    limit_memory();
    veer_filter_begin(&filter, VEER_FILTER_TRAP);
    let_veer_through(&filter);
    veer_filter_load(&filter, VEER_SECCOMP_NUMBER);
    guard_memory(&filter, first);
    guard_descriptors(&filter, first);
    guard_life(&filter);
    for (unsigned k = 0; k < sizeof refused / sizeof *refused; k++) {
        uint32_t head = veer_filter_call(&filter, refused[k]);
        veer_filter_end_call(&filter, head, filter.refusal);
    }
    veer_filter_return(&filter, VEER_FILTER_ALLOW);
    struct {
        unsigned short count;
        struct veer_instruction *code;
    } program = {(unsigned short)filter.count, filter.code};
    if (filter.count >= VEER_FILTER_ROOM || prctl(SETS_FILTER, 2, &program, 0, 0) != 0) return -1;
    GUARD_STATE->is_on = 1;
    return 0;
}

/* -- what was refused ---------------------------------------------------------------------------------------------- */

static const struct { int number; const char *name; } names[] = {
    {SYS_fork, "fork"}, {SYS_vfork, "vfork"}, {SYS_clone, "clone"}, {SYS_execve, "execve"}, {SYS_kill, "kill"}, {SYS_tkill, "tkill"},
    {SYS_tgkill, "tgkill"}, {SYS_ptrace, "ptrace"}, {SYS_socket, "socket"}, {SYS_socketpair, "socketpair"}, {SYS_connect, "connect"},
    {SYS_open, "open"}, {SYS_openat, "openat"}, {SYS_creat, "creat"}, {SYS_unlink, "unlink"}, {SYS_unlinkat, "unlinkat"},
    {SYS_rename, "rename"}, {SYS_mkdir, "mkdir"}, {SYS_rmdir, "rmdir"}, {SYS_chmod, "chmod"}, {SYS_fchmod, "fchmod"}, {SYS_chown, "chown"},
    {SYS_truncate, "truncate"}, {SYS_mount, "mount"}, {SYS_chroot, "chroot"}, {SYS_chdir, "chdir"}, {SYS_munmap, "munmap"},
    {SYS_mprotect, "mprotect"}, {SYS_mremap, "mremap"}, {SYS_mmap, "mmap"}, {SYS_madvise, "madvise"}, {SYS_read, "read"},
    {SYS_write, "write"}, {SYS_close, "close"}, {SYS_readv, "readv"}, {SYS_prctl, "prctl"}, {SYS_setsid, "setsid"},
    {SYS_process_vm_writev, "process_vm_writev"}, {SYS_process_vm_readv, "process_vm_readv"}, {SYS_rt_sigaction, "sigaction"},
    {SYS_prlimit64, "prlimit"}, {SYS_setrlimit, "setrlimit"}, {SYS_timer_create, "timer_create"}, {SYS_getrandom, "getrandom"},
    {SYS_ioctl, "ioctl"}, {SYS_fcntl, "fcntl"}, {SYS_clock_gettime, "clock_gettime"}, {436, "close_range"}, {SYS_shmat, "shmat"}, {SYS_shmget, "shmget"}};

static void name_call(int number, char *text, size_t room) {
    for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].number == number) {
            snprintf(text, room, "the sandbox refuses the system call %s", names[k].name);
            return;
        }
    snprintf(text, room, "the sandbox refuses the system call %d", number);
}

/* Ends the run: what the unit would have done with the answer is nobody's test. */
static _Noreturn void refuse(int number) {
    struct veer_report *report;
    PROCESS->untrusted = 1; /* it may hold locks of libraries */
    veer_note_loss(VEER_LOSS_SANDBOX, veer_user_site(veer_here()));
    report = veer_report_begin(VEER_OUTCOME_UNSUPPORTED, veer_here());
    name_call(number, report->message, sizeof report->message);
    veer_finish(VEER_OUTCOME_UNSUPPORTED);
}

static int is_veers(greg_t address) {
    uint64_t place = (uint64_t)address;
    return veer_own_address(place) || (place >= VEER_COVERAGE_BASE && place < 0x80000000u);
}

static int ends_this_process(int number, const greg_t *registers) {
    return (number == SYS_kill || number == SYS_tkill || number == SYS_tgkill) && registers[REG_RDI] == getpid();
}

static _Noreturn void end_as_killed(void) {
    PROCESS->untrusted = 1;
    veer_end_run(VEER_OUTCOME_KILLED, veer_here(), "the program kills or stops itself");
}

/* Changes what the next run must find as it was: it is made from veer's own place, and remembered. */
static int changes_the_process(int number, const greg_t *registers) {
    if (number == SYS_rt_sigaction) return registers[REG_RDI] != SIGSYS && !is_veers(registers[REG_RDX]);
    return number == SYS_alarm || (number == SYS_setitimer && !is_veers(registers[REG_RDX]));
}

/* Whether the kernel would open a descriptor of this process by its path. */
static int names_a_descriptor(const char *path) {
    char begin[MOST_OF_A_PATH];
    size_t k = 0;
    for (; k + 1 < sizeof begin && path[k]; k++) begin[k] = path[k];
    begin[k] = 0;
    return strncmp(begin, "/dev/fd", 7) == 0 || strncmp(begin, "/dev/std", 8) == 0 || (strncmp(begin, "/proc", 5) == 0 && strstr(begin, "/fd"));
}

/* What to do about SIGSYS; 0: the guard has nothing to do with it. */
int veer_guard_refused(const siginfo_t *information, void *context) {
    greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
    int number = information->si_syscall;
    if (information->si_code != BY_FILTER) return 0; /* somebody sent it */
    if (VEER_KERNEL(SYS_gettid, 0, 0, 0, 0, 0, 0) != getpid()) _exit(128 + SIGSYS); /* no run ends in a thread */
    if (changes_the_process(number, registers)) {
        PROCESS->handlers_dirty |= RUN->in_run;
        registers[REG_RAX] = VEER_KERNEL(number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], 0, 0);
        return 1;
    }
    if (!RUN->in_run) return 0;
    if (ends_this_process(number, registers)) end_as_killed();
    if (number != SYS_open && number != SYS_openat) refuse(number);
    const char *path = (const char *)(uintptr_t)registers[number == SYS_open ? REG_RDI : REG_RSI];
    long flags = registers[number == SYS_open ? REG_RSI : REG_RDX];
    int writes = (flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0;
    if (names_a_descriptor(path) || (writes && strcmp(path, "/dev/null") != 0)) refuse(number); /* also where there is no Landlock */
    long answer = VEER_KERNEL(number, registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10], 0, 0);
    if (answer == -EACCES || answer == -EPERM || answer == -EROFS) refuse(number);
    registers[REG_RAX] = answer;
    return 1;
}
