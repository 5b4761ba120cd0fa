"""Which functions of other units a function asks for an answer: it uses what they return."""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.instrument.lexer import bare
from veer.instrument.module import Block, Declaration

_LOCAL = re.compile(r'%(?:"[^"]*"|[\w.$-]+)')


def heeded(blocks: Sequence[Block], declarations: Sequence[Declaration]) -> tuple[str, ...]:
    """The declared functions whose results are used, behind SROA: to store one in a variable is no use of it."""
    declared = {declaration.name for declaration in declarations}
    instructions = [instruction for block in blocks for instruction in block.instructions]
    results = {
        each.result: bare(each.call.callee)
        for each in instructions
        if each.call is not None and each.result and each.call.callee in declared
    }
    if not results:
        return ()
    used = {
        name
        for each in instructions
        if each.call is None or not each.call.callee.startswith("@llvm.dbg.")
        for name in _LOCAL.findall(each.text[len(each.result) :])
    }
    return tuple(dict.fromkeys(callee for result, callee in results.items() if result in used))
