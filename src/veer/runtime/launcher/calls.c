/* seccomp: a system call is allowed that stands here, and no other. It may look at what Landlock lets be seen, and change the process
   itself; it makes no process, reaches no other one, and opens no socket.

   What is refused: an executor gets a signal (runtime/tracer/guard.c), the process of a replayed test ends by SIGSYS, a tool gets
   EPERM. What is newer than this table does not exist: libraries try new calls, and do without them. */
#define _GNU_SOURCE
#include "calls.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "veer_filter.h"

enum { WITHIN_THE_MACHINE = 1, INTERNET = 2, INTERNET_6 = 10 }; /* AF_UNIX, AF_INET, AF_INET6 */
enum { NEWER = 463, OTHER_MACHINE = 0x40000000 };
enum { TO_FILTER = 22, VMA_NAME = 0x53564d41, THP_DISABLE = 41, TIMER_SLACK = 29, GET_TIMER_SLACK = 30 };
enum { TERMINAL_STATE = 0x5401, TERMINAL_SIZE = 0x5413, BYTES_TO_READ = 0x541b, NO_WAIT = 0x5421, NO_CLOSE = 0x5450, CLOSE_ON_EXEC = 0x5451 };

static const uint16_t everyones[] = {
    SYS_read, SYS_write, SYS_close, SYS_stat, SYS_fstat, SYS_lstat, SYS_poll, SYS_lseek, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_brk,
    SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_pread64, SYS_pwrite64, SYS_readv, SYS_writev, SYS_access, SYS_pipe,
    SYS_select, SYS_sched_yield, SYS_mremap, SYS_msync, SYS_mincore, SYS_madvise, SYS_dup, SYS_dup2, SYS_pause, SYS_nanosleep,
    SYS_getitimer, SYS_alarm, SYS_setitimer, SYS_getpid, SYS_sendfile, SYS_exit, SYS_exit_group, SYS_wait4, SYS_waitid, SYS_uname,
    SYS_fcntl, SYS_flock, SYS_fsync, SYS_fdatasync, SYS_ftruncate, SYS_getdents, SYS_getdents64, SYS_getcwd, SYS_chdir, SYS_fchdir,
    SYS_readlink, SYS_umask, SYS_gettimeofday, SYS_getrlimit, SYS_getrusage, SYS_sysinfo, SYS_times, SYS_getuid, SYS_getgid,
    SYS_geteuid, SYS_getegid, SYS_getppid, SYS_getpgrp, SYS_getpgid, SYS_getsid, SYS_getgroups, SYS_getresuid, SYS_getresgid,
    SYS_capget, SYS_rt_sigpending, SYS_rt_sigtimedwait, SYS_rt_sigsuspend, SYS_sigaltstack, SYS_statfs, SYS_fstatfs,
    SYS_getpriority, SYS_sched_getparam, SYS_sched_getscheduler, SYS_sched_get_priority_max, SYS_sched_get_priority_min,
    SYS_sched_rr_get_interval, SYS_arch_prctl, SYS_gettid, SYS_time, SYS_futex, SYS_sched_getaffinity, SYS_epoll_create,
    SYS_epoll_create1, SYS_epoll_ctl, SYS_epoll_wait, SYS_epoll_pwait, SYS_set_tid_address, SYS_restart_syscall, SYS_fadvise64,
    SYS_timer_create, SYS_timer_settime, SYS_timer_gettime, SYS_timer_getoverrun, SYS_timer_delete, SYS_clock_gettime,
    SYS_clock_getres, SYS_clock_nanosleep, SYS_newfstatat, SYS_readlinkat, SYS_faccessat, 439 /* faccessat2 */, SYS_pselect6,
    SYS_ppoll, SYS_set_robust_list, SYS_get_robust_list, SYS_eventfd, SYS_eventfd2, SYS_timerfd_create, SYS_timerfd_settime,
    SYS_timerfd_gettime, SYS_fallocate, SYS_dup3, SYS_pipe2, SYS_preadv, SYS_pwritev, SYS_preadv2, SYS_pwritev2, SYS_getcpu, SYS_getrandom,
    SYS_memfd_create, SYS_statx, 334 /* rseq */, SYS_membarrier, SYS_copy_file_range, SYS_splice, SYS_tee, 436 /* close_range */,
    SYS_get_mempolicy, SYS_signalfd4, SYS_inotify_init1, SYS_mlock, SYS_munlock, SYS_name_to_handle_at};
/* Below the folders that it may write to. */
static const uint16_t of_tools[] = {SYS_rename, SYS_renameat, SYS_mkdir, SYS_mkdirat, SYS_rmdir, SYS_unlink, SYS_unlinkat, SYS_fchmod};

/* On sockets, where they are asked for; those of several messages have their pointers in memory. */
static const uint16_t of_sockets[] = {SYS_connect, SYS_bind, SYS_listen, SYS_accept, SYS_accept4, SYS_sendto, SYS_recvfrom, SYS_sendmsg,
                                      SYS_recvmsg, SYS_shutdown, SYS_getsockname, SYS_getpeername, SYS_setsockopt, SYS_getsockopt};

/* These reach a process, which may be this one alone: by the argument. */
static const struct { uint16_t number; uint8_t argument, or_zero; } of_a_process[] = {
    {SYS_kill, 0, 0},      {SYS_tkill, 0, 0},     {SYS_tgkill, 0, 0},           {SYS_rt_sigqueueinfo, 0, 0}, {297 /* rt_tgsigqueueinfo */, 0, 0},
    {SYS_prlimit64, 0, 1}, {SYS_sched_setaffinity, 0, 1}, {SYS_sched_setscheduler, 0, 1}, {SYS_sched_setparam, 0, 1}};
/* These do what an argument says: the values that are allowed. */
static const struct { uint16_t number; uint8_t argument; uint32_t value; } of_a_value[] = {
    {SYS_prctl, 0, PR_SET_NAME},       {SYS_prctl, 0, PR_GET_NAME},      {SYS_prctl, 0, PR_GET_DUMPABLE}, {SYS_prctl, 0, PR_GET_PDEATHSIG},
    {SYS_prctl, 0, PR_CAPBSET_READ},   {SYS_prctl, 0, TIMER_SLACK},      {SYS_prctl, 0, GET_TIMER_SLACK}, {SYS_prctl, 0, PR_GET_NO_NEW_PRIVS},
    {SYS_prctl, 0, THP_DISABLE},       {SYS_prctl, 0, VMA_NAME},         {SYS_prctl, 0, PR_GET_SECCOMP},  {SYS_ioctl, 1, TERMINAL_STATE},
    {SYS_ioctl, 1, TERMINAL_SIZE},     {SYS_ioctl, 1, BYTES_TO_READ},    {SYS_ioctl, 1, NO_WAIT},         {SYS_ioctl, 1, NO_CLOSE},
    {SYS_ioctl, 1, CLOSE_ON_EXEC},     {SYS_socketpair, 0, WITHIN_THE_MACHINE} /* two ends, both of this process */};

int has_seccomp(void) {
    /* With no program at all it fails with EFAULT where there is one like this, else with EINVAL or ENOSYS. */
    return syscall(SYS_seccomp, VEER_SECCOMP_OPERATION, VEER_SECCOMP_LETS_SPECULATE, NULL) != 0 && errno == EFAULT;
}

static void allow_always(struct veer_filter *filter, const uint16_t *numbers, unsigned count) {
    for (unsigned k = 0; k < count; k++) {
        veer_filter_add(filter, VEER_BPF_EQUAL, numbers[k], 0, 1);
        veer_filter_return(filter, VEER_FILTER_ALLOW);
    }
}
#define ALLOW_ALWAYS(filter, numbers) allow_always(filter, numbers, sizeof(numbers) / sizeof *(numbers))

static void allow_own_process(struct veer_filter *filter) {
    for (unsigned k = 0; k < sizeof of_a_process / sizeof *of_a_process; k++) {
        uint32_t head = veer_filter_call(filter, of_a_process[k].number);
        veer_filter_on_value(filter, of_a_process[k].argument, (uint32_t)getpid(), VEER_FILTER_ALLOW);
        if (of_a_process[k].or_zero) veer_filter_on_value(filter, of_a_process[k].argument, 0, VEER_FILTER_ALLOW);
        veer_filter_end_call(filter, head, filter->refusal);
    }
}

/* Entries of one number stand beside each other. */
static void allow_values(struct veer_filter *filter, enum role role) {
    unsigned most = sizeof of_a_value / sizeof *of_a_value;
    for (unsigned k = 0; k < most;) {
        uint16_t number = of_a_value[k].number;
        uint32_t head = veer_filter_call(filter, number);
        for (; k < most && of_a_value[k].number == number; k++)
            veer_filter_on_value(filter, of_a_value[k].argument, of_a_value[k].value, VEER_FILTER_ALLOW);
        if (number == SYS_prctl && role == EXECUTOR) { /* it adds rules of its own, and takes them for its last */
            veer_filter_on_value(filter, 0, TO_FILTER, VEER_FILTER_ALLOW);
        }
        veer_filter_end_call(filter, head, filter->refusal);
    }
}

/* Of the Internet alone: a socket of the machine's own reaches whatever runs there. */
static void allow_sockets(struct veer_filter *filter) {
    uint32_t head = veer_filter_call(filter, SYS_socket);
    veer_filter_on_value(filter, 0, INTERNET, VEER_FILTER_ALLOW);
    veer_filter_on_value(filter, 0, INTERNET_6, VEER_FILTER_ALLOW);
    veer_filter_end_call(filter, head, filter->refusal);
    ALLOW_ALWAYS(filter, of_sockets);
}

/* Threads may be made, processes may not. clone3 has its flags in memory, where no filter sees them: libraries then use clone. */
static void allow_threads(struct veer_filter *filter) {
    uint32_t head = veer_filter_call(filter, SYS_clone);
    veer_filter_on_bits(filter, 0, CLONE_THREAD, VEER_FILTER_ALLOW);
    veer_filter_end_call(filter, head, filter->refusal);
    head = veer_filter_call(filter, 435 /* clone3 */);
    veer_filter_end_call(filter, head, VEER_FILTER_ERROR | ENOSYS);
}

/* O_TRUNC with O_RDONLY cuts a file without asking to write to it, which the first versions of Landlock do not see. */
static void allow_opening(struct veer_filter *filter, uint16_t number, uint32_t flags) {
    uint32_t head = veer_filter_call(filter, number);
    veer_filter_load(filter, veer_filter_low(flags));
    veer_filter_add(filter, VEER_BPF_AND, O_TRUNC | O_ACCMODE, 0, 0);
    veer_filter_add(filter, VEER_BPF_EQUAL, O_TRUNC | O_RDONLY, 0, 1);
    veer_filter_return(filter, filter->refusal);
    veer_filter_end_call(filter, head, VEER_FILTER_ALLOW);
}

/* This program becomes the one that it starts; the name that it has for it lies at an address that is its own. */
static void allow_the_start(struct veer_filter *filter, const char *name) {
    uint64_t place = (uint64_t)(uintptr_t)name;
    uint32_t head = veer_filter_call(filter, SYS_execve);
    veer_filter_load(filter, veer_filter_high(0));
    veer_filter_add(filter, VEER_BPF_EQUAL, (uint32_t)(place >> 32), 0, 3);
    veer_filter_on_value(filter, 0, (uint32_t)place, VEER_FILTER_ALLOW);
    veer_filter_end_call(filter, head, filter->refusal);
}

void confine_calls(const struct orders *orders) {
    static const uint32_t refusals[] = {VEER_FILTER_TRAP, VEER_FILTER_KILL, VEER_FILTER_ERROR | EPERM};
    static struct veer_filter filter;
    veer_filter_begin(&filter, refusals[orders->role]);
    veer_filter_load(&filter, VEER_SECCOMP_MACHINE);
    veer_filter_add(&filter, VEER_BPF_EQUAL, VEER_MACHINE_X86_64, 1, 0);
    veer_filter_return(&filter, VEER_FILTER_KILL);
    veer_filter_load(&filter, VEER_SECCOMP_NUMBER);
    veer_filter_add(&filter, VEER_BPF_AT_LEAST, OTHER_MACHINE, 0, 1);
    veer_filter_return(&filter, VEER_FILTER_KILL);
    allow_own_process(&filter);
    allow_values(&filter, orders->role);
    allow_threads(&filter);
    allow_opening(&filter, SYS_open, 1);
    allow_opening(&filter, SYS_openat, 2);
    allow_the_start(&filter, orders->command[0]);
    ALLOW_ALWAYS(&filter, everyones);
    if (orders->has_sockets) allow_sockets(&filter);
    if (orders->role == TOOL) ALLOW_ALWAYS(&filter, of_tools);
    if (orders->role == REPLAY) allow_always(&filter, &of_tools[7], 1); /* of its files in memory: named.c */
    veer_filter_add(&filter, VEER_BPF_AT_LEAST, NEWER, 0, 1);
    veer_filter_return(&filter, VEER_FILTER_ERROR | ENOSYS);
    veer_filter_return(&filter, filter.refusal);
    struct {
        unsigned short count;
        struct veer_instruction *code;
    } program = {(unsigned short)filter.count, filter.code};
    if (syscall(SYS_seccomp, VEER_SECCOMP_OPERATION, VEER_SECCOMP_LETS_SPECULATE, &program) != 0)
        not_started("the filter of system calls cannot be put in force");
}
