"""Returns that look like jumps: functions written by hand, called at two places, against every input on the emulator.

SLEIGH takes them for computed jumps; lifted so, the code behind the call ran twice.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <stdint.h>
int twice(int);
int f(uint8_t x) {
    int first = twice(x);
    if (first == 6) return 1;
    return twice(first) == 0xc0 ? 2 : first + 1000;
}
__asm(".text\\n .globl twice\\n .type twice, %function\\n" HEAD "twice:\\n" BODY "\\n .size twice, . - twice");
"""
RETURNS = {
    "a word that is popped into pc": (
        "arm-freestanding-eabi",
        ".arm\\n",
        """\
        str lr, [sp, #-4]!; cmp r0, #100; ldrgt pc, [sp], #4; add r0, r0, r0; ldr pc, [sp], #4""",
    ),
    "a word that is popped into pc, in Thumb": (
        "thumb-freestanding-eabi",
        ".thumb\\n",
        """\
        push {r3, lr}; add r0, r0, r0; ldr r3, [sp, #4]; str r3, [sp]; ldr.w pc, [sp], #8""",
    ),
    "a register that was popped": (
        "thumb-freestanding-eabi",
        ".thumb\\n",
        """\
        push {r4, lr}; add r0, r0, r0; pop {r4}; pop {r1}; bx r1""",
    ),
    "the second link register": (
        "riscv32-freestanding",
        "",
        """\
        mv a5, ra; jal t0, 1f; mv ra, a5; ret; 1: add a0, a0, a0; jr t0""",
    ),
    "a counter": (
        "powerpc-freestanding-eabi",
        "",
        """\
        li 4, 2; mtctr 4; 1: add 3, 3, 3; bdnzlr; b 1b""",
    ),
}


def built(target: str, head: str, body: str, folder: Path) -> BuildOptions:
    """The unit with that function, for that machine."""
    (folder / "unit.c").write_text(UNIT.replace("HEAD", f'"{head}"').replace("BODY", f'"{body.strip()}"'))
    words = ("cc", "-target", target, "-O1", "-fno-sanitize=all", "-fno-stack-protector", "-c", "unit.c")
    subprocess.run([compiler.find().command[0], *words, "-o", "unit.o"], cwd=folder, check=True)
    path = folder / "unit.o"
    return BuildOptions((path,), "f", prototype="int f(uint8_t x)")


UNKNOWN = {
    "x86-64": ("x86_64-linux-gnu", "lea (%rdi, %rdi), %eax; pop %rcx; jmp *%rcx"),
    "aarch64": ("aarch64-freestanding", "add w0, w0, w0; br x30"),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_a_return_that_nobody_knows_ends_the_run(name: str, tmp_path: Path) -> None:
    target, body = UNKNOWN[name]
    build = built(target, "", body, tmp_path)
    result = campaign.run(build, SearchOptions(budget=300, shrink=False, keep_going=True))
    assert result.ending.claim != "paths"
    assert "which was not known" in " ".join(result.ending.lost_by)
    assert {test.outcome for test in result.tests} <= {Outcome.UNSUPPORTED}


@pytest.mark.parametrize("name", RETURNS)
def test_what_returns_is_no_jump(name: str, tmp_path: Path) -> None:
    target, head, body = RETURNS[name]
    build = built(target, head, body, tmp_path)
    result = campaign.run(build, SearchOptions(budget=300, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert not result.bugs
    assert len(result.program.functions) == (3 if target.startswith("riscv") else 2), "code behind a call is none"
    image = load(build.sources[0], compiler.find())
    answers = Machine(image, named(image, "f"), (1,)).run([Case((x,), {}) for x in range(256)], 5.0)
    results = {answer.result for answer in answers if answer is not None and answer.ended == "returned"}
    assert len(results) > 100
    tested = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert {1, 2} & results == {1, 2} & tested


ELSEWHERE = {
    "behind a table": ("thumb-freestanding-eabi", ".thumb\\n", "mov r3, lr; adds r3, #4; add r0, r0, r0; bx r3"),
    "a call by hand": (
        "arm-freestanding-eabi",
        ".arm\\n",
        "mov r4, lr; adr r3, 1f; mov lr, pc; bx r3; add r0, #1; bx r4; 1: bx lr",
    ),
    "a lower link register": ("powerpc-freestanding-eabi", "", "mflr 4; addi 4, 4, 4; mtlr 4; blr"),
}


@pytest.mark.parametrize("name", ELSEWHERE)
def test_a_return_to_another_place_ends_the_run(name: str, tmp_path: Path) -> None:
    result = campaign.run(built(*ELSEWHERE[name], tmp_path), SearchOptions(budget=300, shrink=False, keep_going=True))
    assert result.ending.claim != "paths"
    assert not any(test.outcome is Outcome.RETURNED for test in result.tests)
    assert not result.bugs


OVERFLOW = """\
__attribute__((noinline)) static void copy(char *to, const char *from) { while ((*to++ = *from++)) ; }
int f(const char *s) { char here[8]; copy(here, s); return here[0] == 'x' ? 1 : 2; }
"""


def test_a_return_address_that_an_input_overwrites_is_a_bug(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text(OVERFLOW)
    words = ("cc", "-target", "x86_64-linux-gnu", "-O1", "-fno-sanitize=all", "-fno-stack-protector", "-c", "unit.c")
    subprocess.run([compiler.find().command[0], *words, "-o", "unit.o"], cwd=tmp_path, check=True)
    build = BuildOptions((tmp_path / "unit.o",), "f", prototype="int f(const char *s)", max_length=40, not_null=("s",))
    result = campaign.run(build, SearchOptions(budget=300, shrink=False, keep_going=True))
    assert {bug.outcome for bug in result.bugs} == {Outcome.SEGFAULT_WILD}
    assert {bug.confirmed for bug in result.bugs} == {"plain"}
    assert result.ending.claim != "paths", "other addresses were not looked at"


if __name__ == "__main__":
    sys.exit(pytest.main([__file__]))
