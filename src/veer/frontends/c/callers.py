"""Which functions of the C library may call functions of the program: those that are given some, and those that run
what was given before. All others of the library call none.

`errno` alone is a call of the library: what it leads to must not be each function whose address stands in a table.
"""

from __future__ import annotations

import re

from veer.frontends.c.symbols import in_system_library

_CALLERS = re.compile(
    r"qsort(_r)?|bsearch|lfind|lsearch|t(search|find|delete|walk|walk_r|destroy)|n?ftw(64)?|scandir(at)?(64)?"
    r"|glob(64)?|fts_\w+|argp_\w+|_?obstack_\w+|register_printf\w+|fopencookie|error(_at_line)?"
    r"|_?_?(at_quick_exit|atexit|on_exit|exit|quick_exit)|__cxa_\w+|__register_\w+|call_once|tss_\w+|thrd_\w+"
    r"|pthread_(?!mutex|cond|rwlock|spin|self|equal|attr)\w+|sig\w+|bsd_signal|sysv_signal|gsignal|raise|k?illpg|kill"
    r"|\w*longjmp\w*|\w*context|clone\w*|dl\w+|aio_\w+|lio_\w+|timer_\w+|mq_\w+|getaddrinfo_a|gai_suspend|__libc_\w+"
    r"|abort|alarm|ualarm|setitimer"
)


def calls_nothing(name: str) -> bool:
    """Whether this is a function of the C library that calls no function of the program."""
    return not name.startswith("_Z") and not _CALLERS.fullmatch(name) and in_system_library(name)
