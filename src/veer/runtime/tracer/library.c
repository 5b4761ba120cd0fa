/* What is known of functions of the C library that are not instrumented and have no model of veer's own. */
#include "library.h"

#include <stdlib.h>
#include <string.h>

#include "places.h"
#include "veer_runtime.h"

enum { KNOWN_NAMES = 256 };

/* What is known of a library's function. */
struct known_name {
    const char *name;
    uint32_t facts;
};

struct veer_library {
    struct known_name of[KNOWN_NAMES]; /* direct-mapped */
};
VEER_STATE_FITS(library);
#define LIBRARY VEER_STATE(library)

/* Each table is sorted. They write to a stream and nothing that the program computes with. */
static const char *const output_only[] = {
    "__fprintf_chk", "__printf_chk", "__vfprintf_chk", "__vprintf_chk", "dprintf", "err", "error", "error_at_line", "errx", "fflush", "fprintf", "fputc",
    "fputc_unlocked", "fputs", "fputs_unlocked", "fputwc", "fputws", "fwrite", "fwrite_unlocked", "perror", "printf", "putc", "putc_unlocked",
    "putchar", "putchar_unlocked", "puts", "putw", "putwc", "putwchar", "syslog", "vdprintf", "verr", "verrx", "vfprintf", "vprintf", "vsyslog", "vwarn",
    "vwarnx", "warn", "warnx", "wprintf", "write"};

/* Their result depends on what they are given, but they leave the program's memory alone. */
static const char *const readers[] = {
    "__strtod_internal", "__strtof_internal", "access", "atof", "close", "creat", "fclose", "feof", "ferror", "fileno",
    "fopen", "fseek", "ftell", "getuid", "isatty", "lseek", "nanosleep", "open", "rename", "rewind", "sleep",
    "strcoll", "strerror", "unlink", "usleep"};

/* Their result follows from their arguments, which are numbers, alone. */
static const char *const mathematical[] = {
    "acos", "acosf", "acosh", "acoshf", "asin", "asinf", "asinh", "asinhf", "atan", "atan2", "atan2f", "atanf", "atanh", "atanhf", "cbrt",
    "cbrtf", "cos", "cosf", "cosh", "coshf", "erf", "erfc", "erfcf", "erff", "exp", "exp10", "exp10f", "exp2", "exp2f", "expf", "expm1",
    "expm1f", "fdim", "fdimf", "fmod", "fmodf", "hypot", "hypotf", "ldexp", "ldexpf", "log", "log10", "log10f", "log1p", "log1pf", "log2",
    "log2f", "logb", "logbf", "logf", "pow", "powf", "remainder", "remainderf", "scalbln", "scalblnf", "scalbn", "scalbnf", "sin", "sinf",
    "sinh", "sinhf", "tan", "tanf", "tanh", "tanhf", "tgamma", "tgammaf"};

/* They read and write what their arguments point to, and nothing that lies behind pointers in it. */
static const char *const shallow[] = {
    "__isoc23_sscanf", "__isoc23_strtod", "__isoc99_sscanf", "__snprintf_chk", "__sprintf_chk", "asctime_r", "clock_gettime", "ctime_r",
    "fgets", "fread", "frexp", "gettimeofday", "gmtime_r", "localtime_r", "memmem", "mktime", "modf", "read", "snprintf", "sprintf", "sscanf",
    "strftime", "strtod", "strtof", "strtold", "strxfrm", "time"};

/* They would leave the executor, change the machine or the process, see the machine's files, or run code that veer cannot follow. */
static const char *const forbidden[] = {
    "acct", "adjtime", "adjtimex", "canonicalize_file_name", "chdir", "chflags", "chmod", "chown", "chroot", "clock_adjtime",
    "clock_settime", "clone", "close_range", "closefrom", "copy_file_range", "daemon", "eaccess", "euidaccess", "execl", "execle",
    "execlp", "execv", "execve", "execveat", "execvp", "execvpe", "faccessat", "fallocate", "fallocate64", "fchdir", "fchmodat", "fchown",
    "fchownat", "fdopendir", "fexecve", "fgetxattr", "flistxattr", "fork", "forkpty", "fremovexattr", "fsetxattr", "fstatat", "fstatat64",
    "fstatfs", "fstatfs64", "fstatvfs", "fstatvfs64", "fts64_open", "fts_open", "ftw", "ftw64", "futimens", "futimes", "futimesat",
    "getxattr", "glob", "glob64", "ioperm", "iopl", "lchmod", "lchown", "lgetxattr", "link", "linkat", "listxattr", "llistxattr",
    "lremovexattr", "lsetxattr", "lutimes", "mkdir", "mkdirat", "mkdtemp", "mkfifo", "mkfifoat", "mknod", "mknodat", "mkostemp",
    "mkostemp64", "mkostemps", "mkostemps64", "mkstemps", "mkstemps64", "mktemp", "mount", "nftw", "nftw64", "nice", "opendir",
    "pivot_root", "popen", "posix_fallocate", "posix_fallocate64", "posix_spawn", "posix_spawnp", "prctl", "preadv", "prlimit",
    "prlimit64", "pthread_create", "ptrace", "pwritev", "quotactl", "readlink", "readlinkat", "realpath", "reboot", "removexattr",
    "renameat", "renameat2", "revoke", "rmdir", "scandir", "scandir64", "scandirat", "scandirat64", "sched_setaffinity", "sched_setparam",
    "sched_setscheduler", "sendfile", "sendfile64", "setdomainname", "setegid", "seteuid", "setfsgid", "setfsuid", "setgid", "setgroups",
    "sethostid", "sethostname", "setns", "setpgid", "setpgrp", "setpriority", "setregid", "setresgid", "setresuid", "setreuid",
    "setrlimit", "setrlimit64", "setsid", "settimeofday", "setuid", "setxattr", "shm_open", "shm_unlink", "splice", "statfs", "statfs64",
    "statvfs", "statvfs64", "statx", "stime", "swapoff", "swapon", "symlink", "symlinkat", "syscall", "system", "tee", "tempnam",
    "thrd_create", "tmpnam", "tmpnam_r", "umount", "umount2", "unlinkat", "unshare", "utime", "utimensat", "utimes", "vfork", "vhangup",
    "vmsplice", "wordexp"};

/* They may replace the executor's signal handlers. */
static const char *const handlers[] = {"alarm", "bsd_signal", "setitimer", "sigaction", "sigaltstack", "signal",
                                       "sigprocmask", "sigset", "sysv_signal", "ualarm"};

/* They set how numbers are rounded, or tell which exceptions there were: no term says that. */
static const char *const of_rounding[] = {
    "fedisableexcept", "feenableexcept", "fegetenv", "fegetexceptflag", "fegetmode", "feholdexcept", "fesetenv", "fesetexceptflag",
    "fesetmode", "fesetround", "fetestexcept", "fetestexceptflag", "feupdateenv"};
static const char *const killers[] = {"kill", "killpg"};
static const char *const raisers[] = {"raise"};

static int by_name(const void *a, const void *b) { return strcmp(a, *(const char *const *)b); }

#define FACT(table, fact) (bsearch(name, table, sizeof(table) / sizeof *(table), sizeof *(table), by_name) ? (fact) : 0)

/* Of those that only write: where to. What goes to standard output and error does not come back; what goes anywhere else may. */
static const char *const to_streams[] = {
    "__fprintf_chk", "__vfprintf_chk", "fprintf", "fputc", "fputc_unlocked", "fputs", "fputs_unlocked", "fputwc", "fputws", "fwrite", "fwrite_unlocked",
    "putc", "putc_unlocked", "putw", "putwc", "vfprintf"};
static const char *const to_descriptors[] = {"dprintf", "vdprintf", "write"};

/* Their last two arguments are a format and a va_list. */
static const char *const takes_list[] = {
    "__vfprintf_chk", "__vprintf_chk", "vdprintf", "verr", "verrx", "vfprintf", "vprintf", "vsyslog", "vwarn", "vwarnx"};

static uint32_t look_up(const char *name) {
    if (name[0] == VEER_ANSWER_MARK) return look_up(name + 1) | VEER_ANSWERS;
    return FACT(output_only, VEER_OUTPUT_ONLY) | FACT(readers, VEER_READER) | FACT(shallow, VEER_SHALLOW) |
           FACT(forbidden, VEER_FORBIDDEN) | FACT(handlers, VEER_HANDLERS) | FACT(killers, VEER_KILLS) | FACT(raisers, VEER_RAISES) |
           FACT(to_streams, VEER_TO_A_STREAM) | FACT(to_descriptors, VEER_TO_A_DESCRIPTOR) | FACT(mathematical, VEER_MATHEMATICAL | VEER_READER) |
           FACT(takes_list, VEER_TAKES_LIST) | FACT(of_rounding, VEER_FLOAT_ENVIRONMENT);
}

/* The facts (enum veer_fact) of a function; none if its name is NULL. Names are constants of the instrumented code: looked up once. */
uint32_t veer_library_facts(const char *name) {
    if (!name) return 0;
    struct known_name *known = &LIBRARY->of[((uint64_t)(uintptr_t)name >> 2) % KNOWN_NAMES];
    if (known->name != name) *known = (struct known_name){name, look_up(name)};
    return known->facts;
}
