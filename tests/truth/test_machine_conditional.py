"""Instructions of Thumb that an `it` is about, beside the targets of a computed jump, against all inputs.

What stands before a target is looked at as well, to tell a return from a jump: SLEIGH had read an instruction there
without its `it`, and took it for one that always runs.
"""

from __future__ import annotations

from pathlib import Path

from machine_extra import NEEDS_MACHINE
from test_machine_library import given, zig

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
    .syntax unified
    .thumb
    .text
    .globl chosen
    .type chosen, %function
    .thumb_func
chosen:
    b body                      @ of which the symbol's size says nothing
    .size chosen, . - chosen
body:
    cmp r0, #2
    bhi other
    tbb [pc, r0]
table:
    .byte (first - table) / 2, (second - table) / 2, (third - table) / 2, 0
other:
    cmp r1, #9
    ite hi
    movhi r0, #1
    movls r0, #2
    bx lr
first:
    movs r0, #3
    cmp r1, #5
    it eq
    moveq r0, #4
    bx lr
second:
    cmp r1, #7
    itete lo
    movlo r0, #5
    movhs r0, #6
    addlo r0, #2
    addhs r0, #2
    bx lr
third:
    movs r0, #9
    bx lr
"""


def expected(a: int, b: int) -> int:
    """What the processor does."""
    match a:
        case 0:
            return 4 if b == 5 else 3
        case 1:
            return 7 if b < 7 else 8
        case 2:
            return 9
    return 1 if b > 9 else 2


def test_each_instruction_runs_under_its_condition(tmp_path: Path) -> None:
    source, output = tmp_path / "unit.s", tmp_path / "unit.o"
    source.write_text(UNIT)
    zig("-target", "thumb-linux-musleabi", "-mcpu=cortex_a7", "-c", source, "-o", output)
    build = BuildOptions((output,), "chosen", prototype="int chosen(unsigned char a, unsigned char b)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    seen = set()
    for test in result.tests:
        values = given(test)
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        assert returned == expected(values.get("a", 0), values.get("b", 0)), values
        seen.add(returned)
    assert seen == {expected(a, b) for a in range(256) for b in range(256)}
