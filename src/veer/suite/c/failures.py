"""The functions of --fail in a suite: a call of `malloc` fails where it failed in the recorded run.

    void *veer_try_malloc(unsigned long size) __asm__("veer_may_fail_malloc");
    void *veer_try_malloc(unsigned long size) { return veer_failing_malloc(size); }

The suite's flags have `-Dmalloc=veer_may_fail_malloc`, so that all sources of the program call it and nothing else
does: the C library's own calls of malloc, and a sanitizer's, are none of the unit's. What they do is in
templates/failures.c: these bodies have no branches (interfaces.py says why).
"""

from __future__ import annotations

from veer.model.program import FAILING_PREFIX, Program
from veer.suite.c.template_files import template

_FUNCTIONS = {
    "malloc": ("void *", "unsigned long size", "size"),
    "calloc": ("void *", "unsigned long count, unsigned long size", "count, size"),
    "realloc": ("void *", "void *old, unsigned long size", "old, size"),
    "strdup": ("char *", "const char *text", "text"),
    "strndup": ("char *", "const char *text, unsigned long most", "text, most"),
    "fopen": ("void *", "const char *name, const char *mode", "name, mode"),
    "read": ("long", "int file, void *to, unsigned long size", "file, to, size"),
    "write": ("long", "int file, const void *from, unsigned long size", "file, from, size"),
}


def failures(program: Program) -> str:
    """The definitions of the functions whose calls may fail; empty when there are none."""
    lines = [template("failures.c")] if program.failing else []
    for name in program.failing:
        result, parameters, given = _FUNCTIONS[name]
        head = f"{result} veer_try_{name}({parameters})"
        lines.append(f'{head} __asm__("{FAILING_PREFIX}{name}");\n{head} {{ return veer_failing_{name}({given}); }}\n')
    return "".join(lines)
