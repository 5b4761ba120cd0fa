"""Position-independent programs that call the C library: veer and its emulator against the machine's own library.

Zig's compiler links the programs; the same source, loaded into this process, is the third word.
"""

from __future__ import annotations

import ctypes
import subprocess
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled

from veer.campaign import run as campaign
from veer.frontends.machine.build import named
from veer.frontends.machine.linked import load
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result, Test
from veer.model.searchoptions import SearchOptions
from veer.toolchain import compiler

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifndef SAY
#define SAY(text) puts(text)
#endif
/* Each case calls other functions; a and b decide what they find. */
int uses(uint8_t which, uint8_t a, uint8_t b) {
    char text[8] = {'k', 0}, other[8] = "a1-7", *end;
    text[1] = a & 1 ? 'x' : 0, text[2] = a & 2 ? '9' : 0;
    other[b & 3] = b & 4 ? 0 : 'Q';
    switch (which) {
    case 0: return 10 + (int)strlen(text) * 8 + (int)strlen(other);
    case 1: return strcmp(text, other) < 0 ? 1 : 2;
    case 2: return strchr(text, 'x') ? strrchr(other, 'Q') ? 3 : 4 : 5;
    case 3: memcpy(text + 3, other, 4); return memcmp(text, "kx9", 3) ? text[4] : 6;
    case 4: return (int)strtol(other + 1, &end, 10) * 10 + (int)(end - other);
    case 5: {
        char *copy = malloc((b & 7) + 1);
        memset(copy, 3, (b & 7) + 1);
        int sum = copy[b & 7] * 3;
        copy = realloc(copy, 40), sum += copy[0];
        free(copy);
        return sum;
    }
    case 6: return isdigit(a) ? 7 : isalpha(a) ? toupper(a) == a ? 9 : 11 : 8;
    case 7: strcat(strcpy(text, "ab"), b & 1 ? "c" : ""); return strncmp(text, "abc", 3) ? 20 : 21;
    case 8: return abs((int8_t)a) > 100 ? SAY(other) != 0 : 30;
    case 9: if (a > 250) exit(3); return strstr(other, "1-") ? 31 : 32;
    case 10: if (a > 250) abort(); return 33;
    case 11: return (int)(((int64_t)(int8_t)a * ((int64_t)1 << 33) | b) / (1000003 + b) % 977);
    case 12: if (a % (b % 7 + 1) == 5) return 34; return (float)a / 4 > 60.0f ? 35 : (double)b * 2 == 246 ? 36 : 37;
    default: return 0;
    }
}
int main(int argc, char **argv) { return uses(argc, (uint8_t)*argv[0], 2); }
"""
TARGETS = {
    "x86-64": "x86_64-linux-gnu",
    "arm": "arm-linux-gnueabihf",
    "aarch64": "aarch64-linux-gnu",
    "riscv64": "riscv64-linux-gnu",
    "powerpc": "powerpc-linux-musleabi",
    "riscv32": "riscv32-linux-musl",
}
OBJECTS = ("powerpc", "riscv32")
"""Zig has no shared C library for these: their objects leave the names undefined."""
ONE_RESULT_A_PATH = (1, 2, 5, 6, 7, 8, 9, 10, 12)
"""Cases whose paths have one result each; in the others it is counted by a loop of the library."""
IN_EACH_CHECK = ("x86-64",)
FLAGS = ("-O1", "-fno-sanitize=all", "-fno-stack-protector", "-fno-builtin")


def zig(*words: object) -> None:
    subprocess.run([compiler.find().command[0], "cc", *map(str, words)], check=True, capture_output=True)


def built(name: str, folder: Path) -> Path:
    """A program for that machine, linked as compilers do it by themselves."""
    source, output = folder / "unit.c", folder / ("program.o" if name in OBJECTS else "program")
    source.write_text(UNIT)
    how = ("-c",) if name in OBJECTS else ("-fPIE", "-pie")
    zig("-target", TARGETS[name], *FLAGS, *how, source, "-o", output)
    return output


def own(folder: Path) -> ctypes.CDLL:
    """The same functions in this process."""
    zig(
        "-target",
        "x86_64-linux-gnu",
        *FLAGS,
        "-DSAY(s)=1",
        "-shared",
        "-fPIC",
        folder / "unit.c",
        "-o",
        folder / "own.so",
    )
    return ctypes.CDLL(str(folder / "own.so"))


def explored(path: Path, budget: float = 60) -> Result:
    build = BuildOptions((path,), "uses", prototype="int uses(uint8_t which, uint8_t a, uint8_t b)")
    return campaign.run(build, SearchOptions(criterion="path", budget=budget, shrink=False, keep_going=True))


def given(test: Test) -> dict[str, int]:
    return {root.name: root.cells[0].value.number for root in test.inputs.roots if root.cells}  # type: ignore[union-attr]


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_library_calls_are_those_of_the_library(name: str, tmp_path: Path) -> None:
    result = explored(built(name, tmp_path))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED, Outcome.EXITED, Outcome.ABORTED}
    library = own(tmp_path)
    for test in result.tests:
        values = given(test)
        if test.outcome is Outcome.RETURNED:
            expected = library.uses(*(values.get(each, 0) for each in ("which", "a", "b")))
            assert int.from_bytes(test.returned or b"", "little", signed=True) == expected, values
        else:
            assert values["which"] == (9 if test.outcome is Outcome.EXITED else 10) and values["a"] > 250
    seen = {
        (given(test)["which"], int.from_bytes(test.returned, "little", signed=True))
        for test in result.tests
        if test.returned
    }
    every = {(which, library.uses(which, a, b)) for which in range(14) for a in range(0, 251) for b in range(16)}
    assert {row for row in every - seen if row[0] in ONE_RESULT_A_PATH} == set(), (
        "an input has a result that no test has"
    )


def test_a_stripped_program_has_its_functions_from_its_tables(tmp_path: Path) -> None:
    path = built("x86-64", tmp_path)
    image = load(path, compiler.find())
    place = named(image, "uses").address
    stripped = tmp_path / "stripped"
    zig("-target", TARGETS["x86-64"], *FLAGS, "-fPIE", "-pie", "-s", tmp_path / "unit.c", "-o", stripped)
    found = load(stripped, compiler.find())
    assert {place, named(image, "main").address} <= found.functions.keys()
    assert named(found, hex(place - found.base)).address == place, "the file's own address is understood, too"


STACK = """\
unsigned table(unsigned char a) {
    volatile unsigned many[20000];
    for (unsigned k = 0; k < 20000; k += 512) many[k] = k + a;
    return many[a & 1 ? 512 : 1024] + many[19968];
}
unsigned depth(unsigned char a) {
    volatile unsigned char frame[300];
    frame[a] = a;
    return a == 0 ? 0 : depth(a - 1) + frame[a];
}
"""


def _of_stack(entry: str, folder: Path, name: str = "x86-64") -> Result:
    source, output = folder / "unit.c", folder / "unit.o"
    source.write_text(STACK)
    zig("-target", TARGETS[name], *FLAGS, "-c", source, "-o", output)
    build = BuildOptions((output,), entry, prototype=f"unsigned {entry}(unsigned char a)")
    return campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True, max_runs=300))


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in IN_EACH_CHECK))
def test_a_large_frame_is_no_bug(name: str, tmp_path: Path) -> None:
    result = _of_stack("table", tmp_path, name)
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs
    assert {test.replayed for test in result.tests} == {"same"}


def test_a_deep_recursion_ends_as_what_veer_has_no_stack_for(tmp_path: Path) -> None:
    result = _of_stack("depth", tmp_path)
    assert not result.bugs
    assert result.ending.claim == "none"
    assert any("a stack deeper than the one that veer gives" in each for each in result.ending.lost_by), result.ending
