"""The functions of --fail in a suite: a call of `malloc` fails where it failed in the recorded run.

The suite's flags have `-Dmalloc=veer_may_fail_malloc`, and so has its text, for who compiles it without them. So all
sources of the program call it, and nothing else does: the C library's own calls of malloc, and a sanitizer's, are none
of the unit's. What they do is in the runtime, which makes the failures by the same code (runtime/environment).
"""

from __future__ import annotations

from veer.model.program import FAILING_PREFIX, Program
from veer.suite.c.symbols import Stand, defined

_FUNCTIONS = {
    "malloc": Stand("void *", "unsigned long size", "veer_allocated(veer_input_malloc(size))"),
    "calloc": Stand(
        "void *", "unsigned long count, unsigned long size", "veer_allocated(veer_input_calloc(count, size))"
    ),
    "realloc": Stand(
        "void *",
        "void *old, unsigned long size",
        "veer_moved((__UINTPTR_TYPE__)old, size, veer_input_realloc(old, size))",
    ),
    "strdup": Stand("char *", "const char *text", "veer_allocated(veer_input_strdup(text))"),
    "strndup": Stand(
        "char *", "const char *text, unsigned long most", "veer_allocated(veer_input_strndup(text, most))"
    ),
    "fopen": Stand("void *", "const char *name, const char *mode", "veer_input_fopen(name, mode)"),
    "read": Stand("long", "int file, void *to, unsigned long size", "veer_input_read(file, to, size)"),
    "write": Stand("long", "int file, const void *from, unsigned long size", "veer_input_write(file, from, size)"),
}


def failures(program: Program) -> str:
    """The definitions of the functions whose calls may fail; empty when there are none."""
    return "".join(defined(FAILING_PREFIX + name, _FUNCTIONS[name]) for name in program.failing)


def head(program: Program) -> str:
    """What stands ahead of the unit, whose calls may fail."""
    return "".join(f"#ifndef {name}\n#define {name} {FAILING_PREFIX}{name}\n#endif\n" for name in program.failing)
