"""Whether a function that promises a value has a `return;` that gives none: old C allows it, main included.

What the caller then gets is whatever a register holds, another value from each compiler: no test may expect it.

main() { if (getchar() < 0) return; ... }      the branch to main's end stands at a `return;` of the source
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from veer.frontends.llvm.compiled import Module

_LEAVES = re.compile(r"^  (?:br label|ret) .*!dbg !(\d+)$", re.MULTILINE)
_RETURN = re.compile(r"return\s*;")


def forgets_value(module: Module, function: str) -> bool:
    """Whether one of its statements is a `return;`, macros left out. The function is not void."""
    found = re.search(rf"^define [^\n]*@{re.escape(function)}\(.*?^}}$", module.ir, re.MULTILINE | re.DOTALL)
    if found is None:
        return False
    lines = module.source.read_text(errors="replace").splitlines()
    return any(
        line <= len(lines) and _RETURN.match(lines[line - 1][column - 1 :])
        for line, column in _places(module.ir, set(_LEAVES.findall(found[0])))
    )


def _places(ir: str, wanted: set[str]) -> Iterator[tuple[int, int]]:
    """Line and column, from 1, of these locations of the debug info."""
    for number, line, column in re.findall(r"^!(\d+) = !DILocation\(line: (\d+), column: (\d+)", ir, re.MULTILINE):
        if number in wanted:
            yield int(line), int(column)
