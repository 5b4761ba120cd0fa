"""The files of a test in a suite: in memory (runtime/files/named.c), under the names of the functions that it calls.

    int veer_as_open(const char *name, int flags, unsigned int mode) __asm__("open");
    int veer_as_open(const char *name, int flags, unsigned int mode) { return veer_k_open(name, flags, mode); }

Defined by symbol name, so that the program's other sources see the same files. These bodies have no branches
(interfaces.py says why); what they do is in the runtime, which replays tests with the same code.
"""

from __future__ import annotations

from importlib import resources

from veer.model.program import STANDARD_INPUT, Fact, Program

_OPEN = ("int", "const char *name, int flags, unsigned int mode", "veer_k_open(name, flags, mode)")
_CREATE = ("int", "const char *name, unsigned int mode", "veer_k_open(name, 01101, mode)")
_STREAM = ("void *", "const char *name, const char *mode", "veer_k_stream(name, mode)")
_TEMPORARY = ("void *", "void", "veer_k_temporary_stream()")
_NAMED = ("int", "char *name", "veer_k_mkstemp(name)")
_UNLINK = ("int", "const char *name", "veer_k_unlink(name)")
_STATUS = ("int", "const char *name, void *status", "veer_k_stat(name, status)")
_CUT = ("int", "const char *name, long size", "veer_k_truncate(name, size)")
_FUNCTIONS = {
    "open": _OPEN,
    "open64": _OPEN,
    "creat": _CREATE,
    "creat64": _CREATE,
    "fopen": _STREAM,
    "fopen64": _STREAM,
    "freopen": ("void *", "const char *name, const char *mode, void *file", "veer_k_restream(name, mode, file)"),
    "tmpfile": _TEMPORARY,
    "tmpfile64": _TEMPORARY,
    "mkstemp": _NAMED,
    "mkstemp64": _NAMED,
    "unlink": _UNLINK,
    "remove": _UNLINK,
    "rename": ("int", "const char *old, const char *new_name", "veer_k_rename(old, new_name)"),
    "access": ("int", "const char *name, int mode", "veer_k_access(name, mode)"),
    "stat": _STATUS,
    "stat64": _STATUS,
    "lstat": _STATUS,
    "lstat64": _STATUS,
    "truncate": _CUT,
    "truncate64": _CUT,
}


def has_files(program: Program) -> bool:
    """Whether a test sees files of its own in the place of the machine's."""
    return bool(program.called_by_user(Fact.ASKS_FILES)) or any(file.name != STANDARD_INPUT for file in program.files)


def file_functions(program: Program) -> str:
    """The code of the files and the definitions of what the program calls; empty when it asks for no file."""
    if not has_files(program):
        return ""
    called = {name.removesuffix("64") for name in program.called_by_user(Fact.ASKS_FILES)}
    text = resources.files("veer").joinpath("runtime", "files", "named.c").read_text(encoding="utf-8")
    lines = [f"\n{text}"]
    for name, (result, parameters, answer) in _FUNCTIONS.items():
        if name.removesuffix("64") in called:
            head = f"{result} veer_as_{name}({parameters})"
            lines.append(f'{head} __asm__("{name}");\n{head} {{ return {answer}; }}\n')
    return "".join(lines)
