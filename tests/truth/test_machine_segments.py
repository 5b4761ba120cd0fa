"""Where the memory of machine code ends: a word that reaches beyond the last text is read, what lies behind it is not.

The kernel begins the program break of a process anywhere within 1 GiB behind it, also behind the memory of the machine:
each case is searched several times, in processes of their own.
"""

from __future__ import annotations

from pathlib import Path

from machine_extra import NEEDS_MACHINE
from test_machine_library import zig

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
    .syntax unified
    .text
    .globl at_the_end, behind
    .type at_the_end, %function
    .type behind, %function
at_the_end:                 @ a copy of ten bytes, as compilers make it of texts that begin at a word
    cmp r0, #7
    movhi r0, #1
    bxhi lr
    ldr r1, =text
    ldm r1, {r1, r2, r3}
    uxtb r0, r3
    bx lr
behind:
    cmp r0, #7
    movhi r0, #1
    bxhi lr
    ldr r1, =text
    ldr r0, [r1, #16]
    bx lr
    .pool
    .section .rodata
    .balign 8
text:
    .asciz "-42949672"
"""
TIMES = 4


def _searched(entry: str, folder: Path) -> Result:
    source, output = folder / "unit.s", folder / "unit.o"
    source.write_text(UNIT)
    zig("-target", "arm-linux-musleabi", "-mcpu=cortex_a7", "-c", source, "-o", output)
    build = BuildOptions((output,), entry, prototype=f"int {entry}(unsigned char a)")
    return campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))


def test_the_word_that_a_segment_ends_in_may_be_read(tmp_path: Path) -> None:
    for _ in range(TIMES):
        result = _searched("at_the_end", tmp_path)
        assert result.ending.claim == "paths", result.ending
        assert not result.bugs
        assert {test.replayed for test in result.tests} == {"same"}


def test_what_lies_behind_a_segment_is_read_by_no_run(tmp_path: Path) -> None:
    for _ in range(TIMES):
        result = _searched("behind", tmp_path)
        assert [bug.outcome for bug in result.bugs] == [Outcome.BOUNDS_READ]
        assert result.ending.claim == "paths", result.ending
        assert {test.outcome for test in result.tests} == {Outcome.RETURNED, Outcome.BOUNDS_READ}
