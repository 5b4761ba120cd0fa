"""Which side of a branch of LLVM's is the machine's jump.

LLVM turns comparisons round where it likes, and a branch stands where its comparison is made. The labels tell which
instruction it is, and which side is which:

    100100b4: cmp r0,#0x3           br i1 %is_other, label %a100100b8.1, label %a100100e4
    100100b8: beq 0x100100e4        ─►  at 100100b8, true: "goes on", false: "to 0x100100e4"

    100100c8: moveq r0,#0x6         one side: "passed over", the other one: "carried out"
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from veer.frontends.machine.decoder import MEMORY, Instruction, Operation
from veer.frontends.machine.descent import Routine, inner_target
from veer.frontends.machine.function import code_label
from veer.frontends.machine.ownplaces import FUNCTION

GOES_ON = "goes on"
PASSED_OVER, CARRIED_OUT = "passed over", "carried out"
_LABEL = re.compile(r"[\w.]+:")
_BRANCH = re.compile(r"  br i1 \S+, label %([\w.]+), label %([\w.]+)")


class Jump(NamedTuple):
    """A branch of the machine: the addresses of its function and instruction, and the sides false and true of LLVM's
    branch."""

    place: tuple[int, int]
    sides: tuple[str, str]


class _Ways(NamedTuple):
    place: tuple[int, int]
    jumps: str
    goes_on: str


def jumps(text: str, routines: Mapping[str, Routine]) -> dict[tuple[str, int], Jump]:
    """The jump of each conditional branch in a module's text, by function and number of the block that it ends.

    `routines`: by the names of their functions in IR. A branch within an instruction is left out.
    """
    found: dict[tuple[str, int], Jump] = {}
    name, block, ways = "", 0, dict[str, _Ways]()
    for row in text.split("\n"):
        if (defined := FUNCTION.match(row)) is not None:
            name, block = defined[1].strip('"'), -1
            ways = _ways(routines[name]) if name in routines else {}
        elif not ways:
            continue
        elif _LABEL.match(row) is not None:
            block += 1
        elif (branch := _BRANCH.match(row)) is not None and (jump := _jump(ways, branch[1], branch[2])) is not None:
            found[name, block] = jump
    return found


def _jump(ways: Mapping[str, _Ways], if_true: str, if_false: str) -> Jump | None:
    for place, following in enumerate((if_false, if_true)):
        known = ways.get(following)
        if known is not None:
            sides = (known.goes_on, known.jumps)
            return Jump(known.place, sides if place == 0 else (sides[1], sides[0]))
    return None


def _ways(routine: Routine) -> dict[str, _Ways]:
    """By the label that stands behind each conditional jump of a function."""
    return {
        code_label(address, place + 1): _Ways((routine.code.address, address), *words)
        for address, instruction in routine.instructions.items()
        for place, operation in enumerate(instruction.operations)
        if operation.name == "CBRANCH"
        for words in _words(instruction, place, operation)
    }


def _words(instruction: Instruction, place: int, operation: Operation) -> Iterator[tuple[str, str]]:
    """The side that jumps, and the side that goes on. Nothing for a jump to another part of the instruction."""
    if operation.inputs[0].space == MEMORY:
        target = operation.inputs[0].offset
        if target == instruction.next:
            yield PASSED_OVER, CARRIED_OUT
        else:
            yield f"to {target:#x}", GOES_ON
    elif inner_target(place, operation) == len(instruction.operations):
        yield PASSED_OVER, CARRIED_OUT
