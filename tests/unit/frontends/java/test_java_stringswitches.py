"""Switches over strings are known by what javac makes of them, whatever instruction asks for the hash."""

from __future__ import annotations

import pytest

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, MemberRef, StringConstant
from veer.frontends.java.classfile.model import Code
from veer.frontends.java.lowering.stringswitches import string_switches

_HASH, _EQUALS, _PLUS, _SLASH = 1, 2, 3, 4


class _Pool(ConstantPool):
    def __init__(self) -> None:
        pass

    def member(self, number: int) -> MemberRef:
        return MemberRef("java/lang/String", *(("hashCode", "()I"), ("equals", "(Ljava/lang/Object;)Z"))[number - 1])

    def constant(self, number: int) -> StringConstant:
        return StringConstant((ord("+" if number == _PLUS else "/"),))


def _compared(at: int, constant: int) -> tuple[Instruction, ...]:
    return (
        Instruction(at, "aload", 0),
        Instruction(at + 1, "ldc", constant, size=2),
        Instruction(at + 3, "invokevirtual", _EQUALS, size=3),
        Instruction(at + 6, "ifeq", 90, size=3),
        Instruction(at + 9, "goto", 90, size=3),
    )


@pytest.mark.parametrize("name", ["tableswitch", "lookupswitch"])
def test_the_hash_is_asked_by_either_switch(name: str) -> None:
    table = ((43, 40), (44, 90), (45, 90), (46, 90), (47, 60))
    cases = table if name == "tableswitch" else (table[0], table[-1])
    code = Code(
        *(2, 2, b"\0" * 91),
        (
            Instruction(0, "aload", 0),
            Instruction(1, "invokevirtual", _HASH, size=3),
            Instruction(4, name, 90, cases=cases, size=36),
            *_compared(40, _PLUS),
            *_compared(60, _SLASH),
            Instruction(90, "return"),
        ),
    )
    found = string_switches(code, _Pool())
    assert found.hashes == {1}
    assert found.cases == {4: [(40, [(43,)]), (60, [(47,)])]}
    assert found.compared == {46, 66}
