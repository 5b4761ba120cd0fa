"""Code that a known static field switches off is left out, and nothing else."""

from __future__ import annotations

from typing import cast

import pytest

from veer.frontends.java.classfile.code import Instruction
from veer.frontends.java.classfile.constants import ConstantPool, MemberRef
from veer.frontends.java.classfile.model import Code, Handler
from veer.frontends.java.lowering.living import living


class _Pool:
    """Two static fields, 1 and 2."""

    def member(self, number: int) -> MemberRef:
        return MemberRef("A", ("off", "open")[number - 1], "Z")


def _known(owner: str, name: str) -> int | None:
    return 1 if (owner, name) == ("A", "off") else None


def _living(*instructions: Instruction, handlers: tuple[Handler, ...] = ()) -> Code:
    code = Code(2, 2, b"\0" * 30, instructions, handlers)
    return living(code, cast(ConstantPool, _Pool()), _known)


def _assertion(field: int, jump: str, *more: Instruction) -> tuple[Instruction, ...]:
    """getstatic FIELD; JUMP 12; new; dup; athrow; 12: return"""
    return (
        Instruction(0, "getstatic", field, size=3),
        Instruction(3, jump, 12, size=3),
        Instruction(6, "new", 1, size=3),
        Instruction(9, "dup"),
        Instruction(10, "athrow"),
        Instruction(11, "nop"),
        Instruction(12, "return"),
        *more,
    )


def _names(code: Code) -> list[str]:
    return [each.name for each in code.instructions]


def test_what_is_switched_off_is_left_out() -> None:
    found = _living(*_assertion(1, "ifne"), handlers=(Handler(6, 11, 11, ""), Handler(0, 13, 12, "")))
    assert _names(found) == ["nop", "goto", "return"]
    assert found.instructions[1].targets == (12,)
    assert found.handlers == (Handler(0, 13, 12, ""),)


def test_what_is_switched_on_stays() -> None:
    assert _names(_living(*_assertion(1, "ifeq"))) == ["nop", "nop", "new", "dup", "athrow"]


@pytest.mark.parametrize("jump", ["ifne", "ifeq"])
def test_unknown_fields_decide_nothing(jump: str) -> None:
    code = _assertion(2, jump)
    assert _living(*code).instructions == code


def test_a_jump_that_is_jumped_to_takes_other_values_too() -> None:
    code = _assertion(1, "ifne", Instruction(13, "iconst_0"), Instruction(14, "goto", 3, size=3))
    assert _living(*code).instructions == code


def test_what_something_else_leads_to_stays() -> None:
    jump = (Instruction(3, "ifeq", 12, size=3), Instruction(6, "iload", 1), Instruction(7, "ifeq", 11, size=3))
    code = (*_assertion(1, "ifeq")[:1], *jump, Instruction(10, "return"), Instruction(11, "nop"))
    assert _names(_living(*code, Instruction(12, "return"))) == [
        "nop",
        "nop",
        "iload",
        "ifeq",
        "return",
        "nop",
        "return",
    ]
