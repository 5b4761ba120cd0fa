"""Which side of a branch of IR is the machine's jump, by the labels alone."""

from __future__ import annotations

from veer.frontends.machine.decoder import CONST, MEMORY, REGISTER, Instruction, Operation, Varnode
from veer.frontends.machine.descent import Routine
from veer.frontends.machine.image import Code
from veer.frontends.machine.sides import CARRIED_OUT, GOES_ON, PASSED_OVER, Jump, jumps

ZERO, RESULT = Varnode(REGISTER, 0x66, 1), Varnode(REGISTER, 0x20, 4)
SET = Operation("COPY", RESULT, (Varnode(CONST, 6, 4),))


def jump_to(varnode: Varnode, *more: Operation) -> tuple[Operation, ...]:
    return (Operation("CBRANCH", None, (varnode, ZERO)), *more)


ROUTINE = Routine(
    Code("f", 0x1000),
    {
        0x1000: Instruction(0x1000, 4, "beq", "beq 0x1010", jump_to(Varnode(MEMORY, 0x1010, 4))),
        0x1004: Instruction(0x1004, 4, "moveq", "moveq r0,#6", jump_to(Varnode(MEMORY, 0x1008, 4), SET)),
        0x1008: Instruction(0x1008, 4, "movne", "movne r0,#6", jump_to(Varnode(CONST, 2, 4), SET)),
        0x100C: Instruction(0x100C, 4, "rep", "rep", (*jump_to(Varnode(CONST, 2, 4), SET), SET, SET)),
    },
)
TEXT = """\
define void @"f"() {
enter:
  br label %a1000
a1000:
  br i1 %a, label %a1010, label %a1000.1, !dbg !7
a1000.1:
  br label %a1004
a1004:
  br i1 %b, label %a1004.1, label %a1008
a1004.1:
  br label %a1008
a1008:
  br i1 %c, label %a1008.2, label %a1008.1
a100c:
  br i1 %d, label %a100c.2, label %a100c.1
}
define void @g() {
a1000:
  br i1 %a, label %a1010, label %a1000.1
}
"""


def test_sides_are_told_by_the_label_behind_the_jump() -> None:
    assert jumps(TEXT, {"f": ROUTINE}) == {
        ("f", 1): Jump((0x1000, 0x1000), (GOES_ON, "to 0x1010")),
        ("f", 3): Jump((0x1000, 0x1004), (PASSED_OVER, CARRIED_OUT)),  # LLVM turned it round
        ("f", 5): Jump((0x1000, 0x1008), (CARRIED_OUT, PASSED_OVER)),
    }, "not the branch within an instruction, nor those of a function that is not of the machine's"
