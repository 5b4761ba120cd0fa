"""`switch` over strings: javac asks for a hash code first, which is no question that a solver likes.

    aload 1; invokevirtual hashCode; lookupswitch         a chain of equals: which of the constants is it?
      97: aload 1; ldc "a"; invokevirtual equals; ifeq …   the same as ever, and true

Neither the hash nor these comparisons are branches of the source; the switch behind them is (as JaCoCo counts). Where
hashes lie close to each other, as those of single characters do, it is a tableswitch.
"""

from __future__ import annotations

from msgspec import Struct, field

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, MemberRef, StringConstant
from veer.frontends.java.classfile.model import Code

_STRING = "java/lang/String"
EQUALS = MemberRef(_STRING, "equals", "(Ljava/lang/Object;)Z")
_HASH = MemberRef(_STRING, "hashCode", "()I")
_LONGEST = 4
"""Instructions of one comparison in a case."""


class StringSwitches(Struct):
    """Those of one method. `hashes`: offsets of the calls of hashCode; `cases`: of a lookupswitch, where each case
    leads and the constants that it compares with; `compared`: offsets of the jumps behind these comparisons."""

    hashes: set[int] = field(default_factory=set)
    cases: dict[int, list[tuple[int, list[tuple[int, ...]]]]] = field(default_factory=dict)
    compared: set[int] = field(default_factory=set)


def string_switches(code: Code, pool: ConstantPool) -> StringSwitches:
    """All that a method has."""
    found = StringSwitches()
    heads = {to for each in code.instructions for to in each.targets}
    places = {each.at: place for place, each in enumerate(code.instructions)}
    for before, each in zip(code.instructions, code.instructions[1:], strict=False):
        if not each.name.endswith("switch") or each.at in heads or not _calls(before, pool, _HASH):
            continue
        cases = [(number, to) for number, to in each.cases if to != each.number]  # a table has gaps
        rows = [_row(code.instructions, places[to], number, pool) for number, to in cases]
        known = [row for row in rows if row is not None]
        if len(known) == len(rows):
            found.hashes.add(before.at)
            found.cases[each.at] = [(to, texts) for (_, to), (texts, _) in zip(cases, known, strict=True)]
            found.compared.update(at for _, jumps in known for at in jumps)
    return found


def _row(
    instructions: tuple[Instruction, ...], place: int, number: int, pool: ConstantPool
) -> tuple[list[tuple[int, ...]], list[int]] | None:
    """The constants that a case compares with, and its jumps; None where it is none of a switch over strings."""
    texts: list[tuple[int, ...]] = []
    jumps: list[int] = []
    while place + _LONGEST <= len(instructions):
        load, constant, call, jump = instructions[place : place + _LONGEST]
        text = pool.constant(constant.number) if constant.name.startswith("ldc") else None
        if load.name != "aload" or not isinstance(text, StringConstant) or not _calls(call, pool, EQUALS):
            break
        if jump.name != "ifeq" or _hash(text.units) != number:
            return None
        texts.append(text.units)
        jumps.append(jump.at)
        following = [at for at, each in enumerate(instructions) if each.at == jump.number]
        place = following[0]
    return (texts, jumps) if texts else None


def _calls(each: Instruction, pool: ConstantPool, member: MemberRef) -> bool:
    return each.name == "invokevirtual" and pool.member(each.number)[:3] == member[:3]


def _hash(units: tuple[int, ...]) -> int:
    value = 0
    for unit in units:
        value = (value * 31 + unit) & 0xFFFFFFFF
    return value - (1 << 32) if value >> 31 else value
