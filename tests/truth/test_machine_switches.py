"""Jump tables behind calls of libgcc's helpers for Thumb code: every case is found, against all inputs on the emulator.

The helpers return elsewhere than behind the call, where the table lies.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.emulator import Case, Machine
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = r"""
__asm(".text\n .syntax unified\n .thumb\n .p2align 2\n .globl f\n .type f, %function\n"
"f: push {r4, lr}\n cmp r0, #3\n bhi 6f\n b 7f\n"
"2: movs r0, #10\n pop {r4, pc}\n"
"7: NOP bl __gnu_thumb1_case_KIND\n"
"ALIGN 1: ENTRY(2b), ENTRY(3f), ENTRY(4f), ENTRY(5f)\n .p2align 1\n"
"3: movs r0, #20\n pop {r4, pc}\n"
"4: movs r0, #30\n pop {r4, pc}\n"
"5: movs r0, #40\n pop {r4, pc}\n"
"6: movs r0, #50\n pop {r4, pc}\n .size f, . - f\n"
".type __gnu_thumb1_case_KIND, %function\n"
"__gnu_thumb1_case_KIND: mov r3, lr\n subs r3, #1\n HELP\n adds r3, r3, r2\n adds r3, #1\n bx r3\n"
".size __gnu_thumb1_case_KIND, . - __gnu_thumb1_case_KIND");
"""
BYTES, HALVES = (
    "movs r2, #0; ldrsb r2, [r3, r0]; adds r2, r2, r2",
    "lsls r2, r0, #1; ldrsh r2, [r3, r2]; adds r2, r2, r2",
)
WORDS = "adds r3, #3; lsrs r3, r3, #2; lsls r3, r3, #2; lsls r2, r0, #2; ldr r2, [r3, r2]"
KINDS = {
    "sqi": (BYTES, "", ".byte ", "({} - 1b) / 2"),
    "uqi": (BYTES.replace("rsb", "rb"), "", ".byte ", "({} - 1b) / 2"),
    "shi": (HALVES, "", ".short ", "({} - 1b) / 2"),
    "uhi": (HALVES.replace("rsh", "rh"), "", ".short ", "({} - 1b) / 2"),
    "si": (WORDS, ".p2align 2\\n ", ".word ", "{} - 1b"),
    "si behind a half word": (WORDS, ".p2align 2\\n ", ".word ", "{} - 1b"),
}


@pytest.mark.parametrize("defined", [True, False], ids=["in the object", "elsewhere"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_call_of_a_helper_is_the_jump_that_it_makes(kind: str, defined: bool, tmp_path: Path) -> None:
    help_, align, directive, entry = KINDS[kind]
    text = UNIT.replace("KIND", kind.split()[0]).replace("HELP", help_).replace("ALIGN ", align)
    text = text.replace("NOP ", "nop; " if " " in kind else "").replace("1: ENTRY", f"1: {directive}ENTRY")
    for label in ("2b", "3f", "4f", "5f"):
        to = "3f" if kind[0] == "u" and label == "2b" else label  # no distance is negative there
        text = text.replace(f"ENTRY({label})", entry.format(to))
    if not defined:
        text = re.sub(r'".type __gnu.*\n.*\n".size __gnu[^"]*"', '""', text)
    (tmp_path / "unit.c").write_text(text)
    words = ("cc", "-target", "thumb-freestanding-eabi", "-mcpu=cortex_m0", "-c", "unit.c", "-o", "unit.o")
    subprocess.run([compiler.find().command[0], *words], cwd=tmp_path, check=True)
    path = tmp_path / "unit.o"
    build = BuildOptions((path,), "f", prototype="int f(uint8_t k)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=300, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    image = load(path, compiler.find())
    answers = Machine(image, named(image, "f"), (1,)).run([Case((k,), {}) for k in range(256)], 5.0)
    results = {answer.result for answer in answers if answer is not None and answer.ended == "returned"}
    assert len(results) >= 4
    assert {int.from_bytes(test.returned or b"", "little") for test in result.tests} == results
    assert not any(each.name.startswith("__gnu") for each in result.program.functions)
