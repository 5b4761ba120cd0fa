"""What stubs and callbacks write behind the pointers that they are given, in a suite (templates/behind.c).

int veer_stub_read_frame(void *p0, signed int p1)
{
    unsigned long value = 0;
    veer_write_behind(p0, "read_frame()", 1, veer_calls("calls of read_frame()"));
    ...
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.model.inputs import Root
from veer.model.literal import string
from veer.model.program import Program
from veer.model.stubcalls import Passed

_ROOT = re.compile(r"(?P<function>[A-Za-z_]\w*\(\))(#\d+)? argument \d+(\+\d+)?")


def function_behind(root: Root) -> str:
    """The function that wrote this input behind a pointer, as in `read_frame()`; empty for other inputs."""
    found = _ROOT.fullmatch(root.name)
    return found["function"] if found else ""


def is_used(program: Program) -> bool:
    """Whether any of them writes."""
    callbacks = (type_.passed for type_ in program.types if type_.callback)
    return any(_is_written(passed) for passed in (*program.passed.values(), *callbacks))


def parameters(passed: Sequence[Passed], *, are_kept: bool = False) -> str:
    """As such a function declares them; `void` where it looks at none: a callee may ignore what it is given."""
    if not passed or not (are_kept or _is_written(passed)):
        return "void"
    return ", ".join(f"{each.c_type}{'' if each.c_type.endswith('*') else ' '}p{k}" for k, each in enumerate(passed))


def statements(passed: Sequence[Passed], function: str) -> str:
    """By which it writes, each on a line."""
    if not _is_written(passed):
        return ""
    name, calls = string(function.encode()), string(f"calls of {function}".encode())
    lines = [
        f"    veer_write_behind(p{number}, {name}, {number + 1}, veer_calls({calls}));\n"
        if each.is_written
        else f"    (void)p{number};\n"
        for number, each in enumerate(passed)
    ]
    return "".join([*lines, f"    veer_count({calls});\n"])


def _is_written(passed: Sequence[Passed]) -> bool:
    return any(each.is_written for each in passed)
