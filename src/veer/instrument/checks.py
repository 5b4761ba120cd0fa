"""The compiler's checks in the text of LLVM IR: branches to blocks that do nothing but trap.

%4 = icmp ule i32 %3, 31, !nosanitize !9                     before
br i1 %4, label %6, label %5, !prof !8, !nosanitize !9

br label %6                                                  without the check
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection

_TRAP = "@llvm.ubsantrap("
_TRAP_BLOCK = re.compile(r"([\w.$-]+):[^\n]*\n  call void @llvm\.ubsantrap\(i8 (\d+)\)")
_CHECK = re.compile(r"  br i1 (\S+), label %(\S+), label %(\S+?),.* !nosanitize ")
_NAME = re.compile(r"define [^@\n]*@\"?([\w.$]+)")
_DIVISION = 3
"""UBSan's number of its checks of divisors, those of floating-point numbers included."""
_CONSTANTS = ("true", "false", "poison", "undef")


def without_checks(ir: str, functions: Collection[str] | None = None) -> str:
    """The text, or these functions of it, as the compiler would have written them without checks."""
    if _TRAP not in ir or (functions is not None and not functions):
        return ir
    return _without(ir, lambda kind, condition, before: True, functions)


def without_divisors(ir: str) -> str:
    """The text without checks of integer divisors, which veer's own oracle finds and tells apart. One that fails
    whenever it is met stays: the compiler has folded its division away."""
    if _TRAP not in ir:
        return ir
    return _without(ir, _is_of_divisor)


def _is_of_divisor(kind: int, condition: str, before: str) -> bool:
    return kind == _DIVISION and condition not in _CONSTANTS and " = fcmp " not in before


def _without(ir: str, drops: Callable[[int, str, str], bool], functions: Collection[str] | None = None) -> str:
    """The text with a plain branch in the place of each check that `drops(kind, condition, line before)`."""
    texts = []
    for text in re.split(r"(?m)^(?=define )", ir):
        name = _NAME.match(text)
        is_meant = functions is None or (name is not None and name[1] in functions)
        traps = {found[1]: int(found[2]) for found in _TRAP_BLOCK.finditer(text)} if is_meant and _TRAP in text else {}
        texts.append(_rewritten(text, traps, drops) if traps else text)
    return "".join(texts)


def _rewritten(function: str, traps: dict[str, int], drops: Callable[[int, str, str], bool]) -> str:
    lines = function.split("\n")
    for number, line in enumerate(lines):
        check = _CHECK.match(line)
        if check is None:
            continue
        first, second = check[2], check[3]
        bad, good = (first, second) if first in traps else (second, first)
        if bad in traps and drops(traps[bad], check[1], lines[number - 1]):
            lines[number] = f"  br label %{good}{line[check.end(3) :].partition(', !prof')[0]}"
    return "\n".join(lines)
