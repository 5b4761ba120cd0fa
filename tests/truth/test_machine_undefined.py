"""Objects that use what other files define: functions, variables, tables of the C library, names of the linker."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine_library import zig

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.result import BranchState, Result
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
typedef __SIZE_TYPE__ size_t;
size_t strlen(const char *);
extern int limit, other(int);
int (*kept)(int) = other;
int hands(signed char n) { return n == 4 ? kept(n) : 1; }
int looks(signed char n) { return n < limit ? 1 : n == 9 ? (int)strlen("abc") : 2; }
"""
NEWLIB = """
extern const char _ctype_[];
int digit(unsigned char c) { return (_ctype_ + 1)[c] & 4 ? 1 : (_ctype_ + 1)[c] & 8 ? 2 : 3; }
"""
SAVES = """
    .text
    .globl kept
    .type kept, @function
kept:
    mflr 0
    stwu 1, -32(1)
    stw 0, 36(1)
    addi 11, 1, 32
    bl _savegpr_30
    mr 30, 3
    li 31, 7
    cmpwi 30, 5
    bne 1f
    li 31, 9
1:  add 3, 30, 31
    addi 11, 1, 32
    b _restgpr_30_x
    .size kept, . - kept
    .globl calls
    .type calls, @function
calls:
    mflr 0
    stwu 1, -32(1)
    stw 0, 36(1)
    addi 11, 1, 32
    bl _savegpr_29
    mr 29, 3
    bl kept
    add 3, 3, 29
    addi 11, 1, 32
    bl _restgpr_29
    lwz 0, 36(1)
    mtlr 0
    addi 1, 1, 32
    blr
    .size calls, . - calls
"""
TARGETS = {
    "x86-64": ("x86_64-linux-musl", "-fPIC"),
    "aarch64": ("aarch64-linux-musl",),
    "riscv64": ("riscv64-linux-musl",),
    "powerpc": ("powerpc-linux-musl",),
    "arm": ("arm-linux-musleabihf",),
    "cortex-m": ("thumb-freestanding-eabi", "-mcpu=cortex_m4"),
    "cortex-m0": ("thumb-freestanding-eabi", "-mcpu=cortex_m0"),
}


def searched(folder: Path, name: str, text: str, prototype: str) -> Result:
    """The result of the search of an object."""
    source, unit = folder / "unit.c", folder / "unit.o"
    source.write_text(text)
    zig("-target", *TARGETS[name], "-O1", "-fno-builtin", "-g0", "-c", source, "-o", unit)
    build = BuildOptions((unit,), prototype.split("(", maxsplit=1)[0].split()[-1], prototype=prototype)
    return campaign.run(build, SearchOptions(criterion="path", budget=30, shrink=False, keep_going=True))


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("x86-64", "cortex-m", "cortex-m0")))
def test_a_variable_of_another_file_is_memory(name: str, tmp_path: Path) -> None:
    result = searched(tmp_path, name, UNIT, "int looks(signed char n)")
    assert result.ending.claim == "paths", result.ending
    assert any("limit" in each for each in result.ending.within), result.ending
    assert result.bugs == ()
    assert {test.replayed for test in result.tests} == {"same"}
    results = {int.from_bytes(test.returned or b"", "little") for test in result.tests}
    assert results == {1, 2, 3}, results


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("x86-64", "cortex-m", "cortex-m0")))
def test_such_a_variable_can_be_an_input(name: str, tmp_path: Path) -> None:
    result = searched(tmp_path, name, UNIT, "int looks(signed char n); int limit")
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    assert all(each.state == BranchState.COVERED for each in result.branches), result.branches


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("arm", "cortex-m")))
def test_newlibs_table_of_characters_is_there(name: str, tmp_path: Path) -> None:
    result = searched(tmp_path, name, NEWLIB, "int digit(unsigned char c)")
    assert result.ending.claim == "paths", result.ending
    assert result.bugs == ()
    assert {test.replayed for test in result.tests} == {"same"}


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name in ("aarch64", "cortex-m")))
def test_a_function_whose_address_alone_is_taken_is_called_by_its_name(name: str, tmp_path: Path) -> None:
    result = searched(tmp_path, name, UNIT, "int hands(signed char n)")
    assert result.bugs == ()
    assert any("calls other, which the file does not define" in each.detail for each in result.ledger), result.ledger
    assert {test.replayed for test in result.tests if test.returned} == {"same"}


@pytest.mark.parametrize(("entry", "expected"), [("kept", 14), ("calls", 19)])
def test_libgccs_saves_of_registers_are_followed(entry: str, expected: int, tmp_path: Path) -> None:
    source, unit = tmp_path / "unit.s", tmp_path / "unit.o"
    source.write_text(SAVES)
    zig("-target", TARGETS["powerpc"][0], "-c", source, "-o", unit)
    build = BuildOptions((unit,), entry, prototype=f"int {entry}(int a)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=30, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    returned = [int.from_bytes(test.returned or b"", "little") for test in result.tests]
    assert len(returned) == 2
    assert expected in returned, returned


def test_an_object_may_ask_whether_its_stack_was_smashed(tmp_path: Path) -> None:
    """The word that it compares lies in the thread's own memory."""
    source, unit = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text("int f(signed char n) { volatile char a[16]; a[n & 15] = n; return n > 3 ? a[n & 15] : 7; }\n")
    zig("-target", "x86_64-linux-gnu", "-O1", "-fstack-protector-all", "-c", source, "-o", unit)
    build = BuildOptions((unit,), "f", prototype="int f(signed char n)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=30, keep_going=True))
    assert result.bugs == ()
    assert {test.replayed for test in result.tests} == {"same"}
