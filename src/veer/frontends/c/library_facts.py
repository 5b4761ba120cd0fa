"""What is known of functions of the C library, and of C++'s runtime: one table, from names to facts.

A program takes along what is known of the functions that it calls (`Program.external`); no layer above knows their
names. Where veer has such a function of its own (`runtime/libc`) the facts hold of that. Two sets of names are taken
from where they are used: those that the instrumenter rewrites calls of (`instrument/convention.py`), and those of the
functions that the runtime itself is (`frontends/llvm/library.py`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping

from veer.frontends.c.callers import calls_nothing
from veer.frontends.c.selfcontained import is_self_contained
from veer.frontends.llvm.library import PREFIX, RUNTIME_FUNCTIONS
from veer.instrument.convention import ASSERT_NAMES, EXIT_NAMES, LONGJMP_NAMES, SETJMP_NAMES
from veer.model.program import ExternalFunction, Fact

_ZONED = ("localtime", "localtime_r", "mktime", "timelocal", "ctime", "ctime_r", "strftime", "tzset")

_NAMES: tuple[tuple[Fact, Iterable[str]], ...] = (
    (Fact.JUMPS, SETJMP_NAMES | LONGJMP_NAMES),
    (Fact.UNWINDS, ("__cxa_throw", "__cxa_rethrow", "__cxa_begin_catch", "_Unwind_Resume")),
    (
        Fact.DEFERS,
        (
            *("atexit", "on_exit", "at_quick_exit", "__cxa_atexit"),
            *("signal", "sigaction", "bsd_signal", "sigset"),
            *("pthread_create", "thrd_create", "makecontext", "swapcontext"),
        ),
    ),
    (Fact.CALLS_BACK, ("qsort", "bsearch")),
    (
        Fact.CALLS_NOTHING,
        (
            *RUNTIME_FUNCTIONS,
            *EXIT_NAMES,
            *ASSERT_NAMES,
            *("abort", "reach_error"),
            *("printf", "puts", "putchar", "fprintf", "fputs", "fputc", "putc", "snprintf", "sprintf"),
        ),
    ),
    (Fact.ALLOCATES, ("aligned_alloc", "calloc", "malloc", "posix_memalign", "realloc", "strdup", "strndup")),
    (Fact.ALLOCATES, ("asprintf", "mmap", "mmap64", "pvalloc", "reallocarray", "valloc", "vasprintf")),
    (
        Fact.ASKS_FILES,
        (
            *(
                "access",
                "chdir",
                "chmod",
                "chown",
                "creat",
                "creat64",
                "fopen",
                "fopen64",
                "freopen",
                "lchown",
                "lstat",
                "lstat64",
                "mkstemp",
                "mkstemp64",
            ),
            *(
                "open",
                "open64",
                "openat",
                "openat64",
                "remove",
                "rename",
                "stat",
                "stat64",
                "tmpfile",
                "tmpfile64",
                "truncate",
                "truncate64",
            ),
            *("unlink", "utime", "utimes"),
        ),
    ),
    (
        Fact.SEES_KIND,
        (
            *("fcntl", "fcntl64", "fgetpos", "fgetpos64", "fseek", "fseeko", "fseeko64", "fsetpos", "fsetpos64"),
            *("fstat", "fstat64", "ftell", "ftello", "ftello64", "lseek", "lseek64"),
        ),
    ),
    (
        Fact.REFUSED,
        (
            *("dprintf", "fprintf", "fputc", "fputc_unlocked", "fputs", "fputs_unlocked", "fputwc", "fputws"),
            *("fwrite", "fwrite_unlocked", "printf", "putc", "putc_unlocked", "putchar", "putchar_unlocked", "puts"),
            *("putw", "putwc", "putwchar", "vdprintf", "vfprintf", "vprintf", "wprintf", "fwprintf"),
            *("close", "dup", "dup2", "dup3", "fclose", "fdopen", "ferror", "fflush", "flock", "lockf"),
            *("pipe", "pipe2"),
            *("fchmod", "fdatasync", "fsync", "ftruncate", "ftruncate64"),
            *("pread", "pread64", "pwrite", "pwrite64", "read", "readv", "write", "writev"),
            *("atexit", "at_quick_exit", "on_exit", "munmap", "setvbuf"),
            *("alarm", "nanosleep", "sleep", "usleep"),
            *("bsd_signal", "raise", "sigaction", "signal", "sigprocmask", "sigset"),
        ),
    ),
    (
        Fact.PRINTS,
        (
            *("dprintf", "fprintf", "fputc", "fputc_unlocked", "fputs", "fputs_unlocked", "fputwc", "fputws"),
            *("fwrite", "fwrite_unlocked", "printf", "putc", "putc_unlocked", "putchar", "putchar_unlocked", "puts"),
            *("putw", "putwc", "putwchar", "vdprintf", "vfprintf", "vprintf", "wprintf", "fwprintf"),
            *("perror", "psignal", "syslog", "vsyslog", "write", "writev"),
        ),
    ),
    (
        Fact.DRAWS,
        ("rand", "random", "drand48", "lrand48", "mrand48"),
    ),
    (
        Fact.SET_BEFORE,
        (
            *("environ", "__environ", "_environ", "errno", "h_errno", "optarg", "opterr", "optind", "optopt"),
            *("daylight", "timezone", "tzname", "__daylight", "__timezone", "__tzname", "signgam"),
            *("program_invocation_name", "program_invocation_short_name"),
        ),
    ),
    (Fact.ASKS_ZONE, _ZONED),
    (
        Fact.ASKS_TIME,
        ("clock", "clock_getres", "clock_gettime", "ftime", "gettimeofday", "time", "times", "timespec_get"),
    ),
    (
        Fact.ASKS_PROCESS,
        (
            *("getcwd", "get_current_dir_name", "getpid", "getppid", "getpgrp", "getpgid", "getsid", "gettid"),
            "isatty",
            *("getuid", "geteuid", "getgid", "getegid", "getgroups", "getlogin", "getlogin_r", "ttyname", "ttyname_r"),
            *("getrlimit", "getrlimit64", "getpriority", "getrusage", "umask", "sched_getcpu", "sched_getaffinity"),
            *("tcgetattr", "popen", "system", "ioctl", "poll", "select"),
        ),
    ),
    (
        Fact.ASKS_SETTINGS,
        (
            *("getenv", "secure_getenv", "setlocale", "localeconv", "nl_langinfo", "sysconf", "confstr", "uname"),
            *("gethostname", "getdomainname", "gethostid", "getpagesize", "sysinfo", "getloadavg", "getauxval"),
            *("get_nprocs", "get_nprocs_conf", "get_phys_pages", "get_avphys_pages"),
            *("getpwnam", "getpwuid", "getpwent", "getgrnam", "getgrgid", "getgrent", "gethostbyname", "getaddrinfo"),
            *_ZONED,
            "__ctype_get_mb_cur_max",
            *("getrandom", "getentropy", "arc4random", "arc4random_buf", "arc4random_uniform"),
        ),
    ),
)


def _table() -> Mapping[str, frozenset[Fact]]:
    facts: dict[str, set[Fact]] = defaultdict(set)
    for fact, names in _NAMES:
        for name in names:
            facts[name].add(fact)
    return {name: frozenset(known) for name, known in facts.items()}


FACTS = _table()
"""From the name of a function to all that is known of it."""


def known(names: Iterable[str], open_names: Iterable[str] = ()) -> tuple[ExternalFunction, ...]:
    """What is known of these functions, in the order of their names; veer's own go by the C library's names.

    `open_names`: those that neither the sources nor veer define. What is known of none of them is that they ask nobody.
    """
    plain = {name.removeprefix(PREFIX) for name in names}
    facts = {name: FACTS[name] for name in plain & FACTS.keys()}
    for name in open_names:
        unseen = {Fact.UNSEEN} if name not in FACTS and not is_self_contained(name) else set()
        silent = {Fact.CALLS_NOTHING} if calls_nothing(name) else set()
        if unseen or silent:
            facts[name] = facts.get(name, frozenset()) | unseen | silent
    return tuple(ExternalFunction(name, tuple(sorted(facts[name]))) for name in sorted(facts))
