"""Functions that a project declares for itself, with a name of the C library's: `void error(char *format, ...)`.

Whose function such a name is shows what it takes: glibc has `void error(int, int, const char *, ...)`. Where a project
declares it otherwise it means its own, which another source defines, and it gets a stub. To call glibc's would end the
run in the library, or worse.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache

from veer.frontends.c.contracts.reading import file_text, own_files
from veer.frontends.llvm.compiled import Module
from veer.frontends.llvm.irtext import declared_functions
from veer.instrument.lexer import split_commas
from veer.toolchain.cache import digest
from veer.toolchain.compiler import CXX_SUFFIXES, Toolchain
from veer.toolchain.compiling import print_tree

_HEADERS = (
    *("arpa/inet", "dirent", "err", "error", "fcntl", "fnmatch", "ftw", "getopt", "glob", "grp", "iconv", "langinfo"),
    *("libgen", "locale", "math", "netdb", "poll", "pthread", "pwd", "regex", "sched", "search", "semaphore", "signal"),
    *("stdio", "stdlib", "string", "strings", "sys/epoll", "sys/ioctl", "sys/mman", "sys/mount", "sys/resource"),
    *("sys/select", "sys/sendfile", "sys/socket", "sys/stat", "sys/time", "sys/uio", "sys/wait", "syslog", "termios"),
    *("time", "unistd", "wchar", "wctype"),
)
"""Those of the C library that declare what programs may have functions of their own for."""
_DECLARED = re.compile(r"(?m)^\s*(?:extern )?[\w\s]*?[\s*](\w+)\(([^;{}]*)\)[^;{}]*;")
_NO_TYPES = r"(?!return\b|else\b|goto\b|case\b)"
_WHOLE = re.compile(
    r"(?:(?:const|unsigned|signed|char|short|int|long|_Bool|enum|size_t|ssize_t|\w*(?:pid|uid|gid|mode|off|time|dev)_t"
    r"|__\w+_t|useconds_t|socklen_t|wchar_t|wint_t)\s*)+\w*"
)
RUNTIME_CALLS = frozenset(
    (
        *("_exit", "_longjmp", "_setjmp", "bcmp", "clock_gettime", "close", "dup2", "fclose", "fcntl", "fopen"),
        *("fprintf", "free", "getenv", "getpid", "getppid", "getrlimit", "memchr", "memcpy", "memmove", "memset"),
        *("mmap", "mprotect", "on_exit", "open", "prctl", "qsort", "raise", "realloc", "sbrk", "setitimer"),
        *("setrlimit", "sigaction", "sigaltstack", "sigemptyset", "signal", "sigprocmask", "snprintf", "stderr"),
        *("stdout", "strchr", "strcmp", "strcpy", "strlen", "strncat", "strncpy", "strrchr", "strsignal", "strstr"),
        *("strtod", "strtof", "strtol", "strtoull"),
    )
)
"""What veer's runtime calls, which lies in the same executable: no stub may have such a name."""
Kinds = tuple[str, ...]
"""What each parameter is: "pointer", "whole", "real", "" for what is not clear; at last "..." where more follow."""


def namesakes(names: Collection[str], modules: Sequence[Module], toolchain: Toolchain) -> frozenset[str]:
    """Those of these functions of the C library that some source declares otherwise than the library does."""
    found: set[str] = set()
    for module in modules:
        asked = set(names) - RUNTIME_CALLS
        own = {name for name in _own(asked, module) if name in declared_functions(module.ir)}
        known = _of_library(toolchain) if own else {}
        for name in own & known.keys():
            given = _of_ir(declared_functions(module.ir)[name][1])
            if given != ("...",) and not _fit(given, known[name]):
                found.add(name)
    return frozenset(found)


def _own(names: Collection[str], module: Module) -> set[str]:
    """Those that a file of the user's seems to declare."""
    if module.source.suffix in CXX_SUFFIXES:
        return set()
    texts = "\n".join(file_text(path) for path in own_files(module))
    return {
        name
        for name in names
        if name in texts and re.search(rf"(?m)^[ \t]*{_NO_TYPES}\w[\w \t*]*[\s*]{name}[ \t]*\(", texts)
    }


def _of_ir(parameters: str) -> Kinds:
    kinds = []
    for each in filter(None, map(str.strip, split_commas(parameters))):
        type_ = each.partition(" ")[0]
        if type_ == "...":
            kinds.append(type_)
        elif " byval(" in each or " sret(" in each:
            kinds.append("")
        else:
            is_whole = type_.startswith("i") and type_[1:].isdigit()
            kinds.append({"ptr": "pointer", "float": "real", "double": "real"}.get(type_, "whole" if is_whole else ""))
    return tuple(kinds)


def _of_c(parameters: str) -> Kinds:
    kinds = []
    for each in map(str.strip, split_commas(parameters)):
        if each in ("", "void"):
            continue
        if each == "...":
            kinds.append(each)
        elif re.search(r"[*\[(]", each):
            kinds.append("pointer")
        elif re.match(r"(?:const )?(?:float|double)\b", each):
            kinds.append("real")
        else:
            kinds.append("whole" if _WHOLE.fullmatch(each) else "")
    return tuple(kinds)


def _fit(one: Kinds, other: Kinds) -> bool:
    """Whether a call of the one is a call of the other."""
    pairs = zip(one, other, strict=False)
    return len(one) == len(other) and all(a == b or "" in (a, b) for a, b in pairs)


@lru_cache(maxsize=2)
def _of_library(toolchain: Toolchain) -> Mapping[str, Kinds]:
    """The functions that the library's headers declare; of none where they cannot be read."""
    lines = [f"#if __has_include(<{each}.h>)\n#include <{each}.h>\n#endif" for each in _HEADERS]
    text = "\n".join(["#define _GNU_SOURCE", *lines, ""])
    path = toolchain.cache.write(text.encode(), "harness", digest(text), ".c")
    with toolchain.cache.scratch() as scratch:
        output = scratch / "tree.c"
        done = print_tree(toolchain, path, output)
        printed = output.read_text(errors="replace") if done.code == 0 and output.exists() else ""
    return {match[1]: _of_c(match[2]) for match in _DECLARED.finditer(re.sub(r"__attribute__\(\(.*?\)\)", "", printed))}
