"""Points at which an interrupt may come, in the text of LLVM IR: before each volatile access.

    %5 = load volatile i32, ptr @ticks, align 4, !dbg !9
    ->  call void @veer_interrupt_point(), !dbg !9
        %5 = load volatile i32, ptr @ticks, align 4, !dbg !9

An access of a local variable by its name is none: nobody else sees it. A volatile copy of a struct is one access.
"""

from __future__ import annotations

import re

POINT = "veer_interrupt_point"
_NAME = r'%(?:"[^"]*"|[-\w.$]+)'
_ACCESS = re.compile(
    rf"^  (?:{_NAME} = load volatile |store volatile |call void @llvm\.mem\w+\.[^\n]*, i1 true\))[^\n]*$", re.MULTILINE
)
_FUNCTION = re.compile(r"(?m)^(?=define )")
_LOCAL = re.compile(rf"^  ({_NAME}) = alloca ", re.MULTILINE)
_POINTER = re.compile(rf", ptr ({_NAME}|[^,\s]+)")
_PLACE = re.compile(r"(, !dbg !\d+)")


def with_interrupts(ir: str) -> str:
    """The text with a call before each volatile access; the text itself where there is none."""
    parts = [_rewritten(part) for part in _FUNCTION.split(ir)]
    changed = "".join(parts)
    return f"{changed}\ndeclare void @{POINT}()\n" if changed != ir else ir


def has_points(ir: str) -> bool:
    """Whether there is a volatile access."""
    return with_interrupts(ir) != ir


def _rewritten(function: str) -> str:
    if " volatile " not in function and ", i1 true)" not in function:
        return function
    locals_ = set(_LOCAL.findall(function))

    def behind_point(access: re.Match[str]) -> str:
        pointer = _POINTER.search(access[0])
        if " volatile " in access[0] and pointer is not None and pointer[1] in locals_:
            return access[0]
        place = _PLACE.search(access[0])
        return f"  call void @{POINT}(){place[1] if place else ''}\n{access[0]}"

    return _ACCESS.sub(behind_point, function)
