"""The files of a test in a suite: in memory (runtime/files/named.c), under the names of the functions that it calls.

These stand in front of the C library's (symbols.py); what they do is in the runtime, which replays
tests with the same code.
"""

from __future__ import annotations

from veer.model.program import STANDARD_INPUT, Fact, Program
from veer.suite.c.symbols import Stand, defined

_OPEN = Stand("int", "const char *name, int flags, unsigned int mode", "veer_k_open(name, flags, mode)")
_OPEN_AT = Stand(
    "int", "int folder, const char *name, int flags, unsigned int mode", "veer_k_open_at(folder, name, flags, mode)"
)
_CREATE = Stand("int", "const char *name, unsigned int mode", "veer_k_open(name, 01101, mode)")
_STREAM = Stand("void *", "const char *name, const char *mode", "veer_k_stream(name, mode)")
_TEMPORARY = Stand("void *", "void", "veer_k_temporary_stream()")
_NAMED = Stand("int", "char *name", "veer_k_mkstemp(name)")
_TOUCH = "const char *name, const void *times"
_OWN = "const char *name, unsigned int owner, unsigned int group"
_UNLINK = Stand("int", "const char *name", "veer_k_unlink(name)")
_STATUS = Stand("int", "const char *name, void *status", "veer_k_stat(name, status)")
_CUT = Stand("int", "const char *name, long size", "veer_k_truncate(name, size)")
_FUNCTIONS = {
    "open": _OPEN,
    "open64": _OPEN,
    "openat": _OPEN_AT,
    "openat64": _OPEN_AT,
    "creat": _CREATE,
    "creat64": _CREATE,
    "fopen": _STREAM,
    "fopen64": _STREAM,
    "freopen": Stand("void *", "const char *name, const char *mode, void *file", "veer_k_restream(name, mode, file)"),
    "tmpfile": _TEMPORARY,
    "tmpfile64": _TEMPORARY,
    "mkstemp": _NAMED,
    "mkstemp64": _NAMED,
    "unlink": _UNLINK,
    "remove": _UNLINK,
    "rename": Stand("int", "const char *old, const char *new_name", "veer_k_rename(old, new_name)"),
    "chdir": Stand("int", "const char *name", "veer_k_chdir(name)"),
    "chmod": Stand("int", "const char *name, unsigned int mode", "veer_k_chmod(name, mode)"),
    "utime": Stand("int", _TOUCH, "veer_k_touch(132, name, times)"),
    "utimes": Stand("int", _TOUCH, "veer_k_touch(235, name, times)"),
    "chown": Stand("int", _OWN, "veer_k_own(92, name, owner, group)"),
    "lchown": Stand("int", _OWN, "veer_k_own(94, name, owner, group)"),
    "access": Stand("int", "const char *name, int mode", "veer_k_access(name, mode)"),
    "stat": _STATUS,
    "stat64": _STATUS,
    "lstat": _STATUS,
    "lstat64": _STATUS,
    "truncate": _CUT,
    "truncate64": _CUT,
}


def has_files(program: Program) -> bool:
    """Whether a test sees files of its own in the place of the machine's."""
    return bool(program.called_by_user(Fact.ASKS_FILES) or program.input_files) or any(
        file.name != STANDARD_INPUT for file in program.files
    )


def file_functions(program: Program) -> str:
    """The definitions of what the program calls; empty when it asks for no file."""
    if not has_files(program):
        return ""
    called = {name.removesuffix("64") for name in program.called_by_user(Fact.ASKS_FILES)}
    return "".join(defined(name, stand) for name, stand in _FUNCTIONS.items() if name.removesuffix("64") in called)
