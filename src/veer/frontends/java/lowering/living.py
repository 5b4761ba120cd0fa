"""Code of the runtime that no run comes to: `assert` of a class whose assertions are off, and its kin.

    getstatic $assertionsDisabled     nop
    ifne 12                           goto 12
    ... new AssertionError            (left out, as all that only it leads to)

One such statement reaches the text of every class of the world, by AssertionError(Object).
"""

from __future__ import annotations

from collections.abc import Callable

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool
from veer.frontends.java.classfile.model import Code
from veer.frontends.java.classfile.opcodes import LEAVING
from veer.model.values import replace

Known = Callable[[str, str], int | None]
"""The value of a static field (owner, name), or None."""


def living(code: Code, pool: ConstantPool, known: Known) -> Code:
    """The code without what known static fields switch off; itself where there is nothing such."""
    decided = _decided(code, pool, known)
    if not decided:
        return code
    instructions = tuple(decided.get(each.at, each) for each in code.instructions)
    found = _reached(replace(code, instructions=instructions))
    left = tuple(each for each in instructions if each.at in found)
    handlers = tuple(each for each in code.handlers if any(each.start <= at < each.end for at in found))
    return replace(code, instructions=left, handlers=handlers)


def _decided(code: Code, pool: ConstantPool, known: Known) -> dict[int, Instruction]:
    """Jumps whose way is known, and the reads before them, as what they come to."""
    targets = {to for each in code.instructions for to in each.targets}
    found: dict[int, Instruction] = {}
    for before, each in zip(code.instructions, code.instructions[1:], strict=False):
        if before.name != "getstatic" or each.name not in ("ifeq", "ifne") or each.at in targets:
            continue
        value = known(*pool.member(before.number)[:2])
        if value is not None:
            is_taken = (value != 0) == (each.name == "ifne")
            found[before.at] = Instruction(before.at, "nop", size=before.size)
            found[each.at] = Instruction(each.at, "goto" if is_taken else "nop", each.number, size=each.size)
    return found


def _reached(code: Code) -> set[int]:
    """Offsets of the instructions that a run may come to."""
    at_offset = {each.at: each for each in code.instructions}
    found: set[int] = set()
    waiting = [0]
    while waiting:
        each = at_offset.get(waiting.pop())
        if each is None or each.at in found:
            continue
        found.add(each.at)
        waiting += each.targets
        if each.name not in LEAVING and not each.name.endswith("return"):
            waiting.append(each.at + each.size)
        waiting += [handler.target for handler in code.handlers if handler.start <= each.at < handler.end]
    return found
