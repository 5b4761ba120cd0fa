"""Suites for boards: veer names the tests that depend on the machine, and ARM says the same: the others pass there.

The suites are built by Debian's compiler for ARM and run by its emulator.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.campaign.boards import looked_at
from veer.campaign.deliver import placed
from veer.model.boards import BoardLook, Trait
from veer.model.buildoptions import BuildOptions
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.model.values import replace
from veer.suite.c.boards import board_files, board_unity_files

pytestmark = pytest.mark.xdist_group("boards")  # one worker builds for all

UNIT = """
#include <stdlib.h>
static int level = 1;
static int drawn(void) { static int n; return ++n; }
struct node { struct node *next; unsigned char v; double weight; };
extern signed char read_temp(int channel);
extern long long read_wide(void);

int classify(char c, long x)
{
    if (c + 1 < 0) return -1;
    if (x == 0x7fffffff01) return 2;
    if (x == 5) { level++; return level; }
    if (x == 9) exit(3);
    if (x == 11) return drawn();
    return sizeof(void *) == 8 && x == 77 ? 5 : 0;
}

int total(struct node *n, int k)
{
    int s = 0;
    if (n) { s += n->v; if (n->weight > 2.5) s += 100; n->v = 7; }
    if (read_temp(k) < -5) s = -s;
    if (read_wide() > 5000000000LL) return 9999;
    return s;
}
"""
NEEDED = ("arm-none-eabi-gcc", "qemu-arm")
on_arm = pytest.mark.skipif(
    not all(map(shutil.which, NEEDED)), reason="needs gcc-arm-none-eabi, libnewlib-arm-none-eabi and qemu-user"
)


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Result]:
    """The results of both functions, looked at."""
    source = tmp_path_factory.mktemp("unit") / "unit.c"
    source.write_text(UNIT)
    options = SearchOptions(budget=10.0, max_runs=300)
    found = {name: campaign.run(BuildOptions(sources=(source,), entry=name), options) for name in ("classify", "total")}
    return {name: looked_at(each, ("board",)) for name, each in found.items()}


def on_board(files: dict[str, bytes], folder: Path, *more: str) -> dict[str, str]:
    """What the suite reports on ARM: "ok", "not ok" or "SKIP" by the names of tests."""
    folder.mkdir()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    source = next(name for name in files if name.startswith("test_"))
    flags = ("--specs=rdimon.specs", "-std=gnu11", "-Wall", "-Wextra", "-Werror", "-Wno-type-limits", *more)
    done = subprocess.run(
        ["arm-none-eabi-gcc", *flags, source, "-lm", "-o", "suite"],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    said = subprocess.run(["qemu-arm", "./suite"], cwd=folder, capture_output=True, text=True, timeout=60).stdout
    rows = re.findall(r"^(ok|not ok) \d+ - (\S+)( # SKIP)?", said, re.MULTILINE)
    assert rows and f"1..{len(rows)}\n" in said, said
    return {name: "SKIP" if skipped else verdict for verdict, name, skipped in rows}


def failing(result: Result, trait: Trait) -> set[str]:
    return {name for look in result.board_looks if look.trait is trait for name in look.failing}


def returning(result: Result, *results: int) -> set[str]:
    """The tests that return one of these."""
    wanted = {each.to_bytes(4, "little", signed=True) for each in results}
    return {test.name for test in result.tests if test.returned in wanted}


def test_tests_that_depend_on_the_machine_are_named(explored: dict[str, Result]) -> None:
    result = explored["classify"]
    assert not any(look.note for look in result.board_looks)
    assert failing(result, Trait.CHAR) == returning(result, -1) != set()
    assert returning(result, 5) and failing(result, Trait.LONG) >= returning(result, 5)
    assert not failing(result, Trait.HOST)
    notes = " ".join(result.program.notes)
    assert "depends on the sign of char" in notes and "on the size of long and of pointers" in notes


def test_static_data_is_set_back(explored: dict[str, Result]) -> None:
    """`level` is; `n` of a function is not: of two tests that draw, the second one needs a process of its own."""
    result = explored["classify"]
    assert result.program.statics is not None
    assert result.program.statics.named == ("level",) and result.program.statics.hidden == ("n of drawn",)
    assert not failing(result, Trait.PROCESS) - returning(result, 1, 2)
    assert not any(look.failing for look in explored["total"].board_looks)


@on_arm
def test_arm_says_the_same(explored: dict[str, Result], tmp_path: Path) -> None:
    for name, result in explored.items():
        said = on_board(board_files(placed(result, tmp_path / name, "board")), tmp_path / name)
        named = failing(result, Trait.CHAR) | failing(result, Trait.LONG) | failing(result, Trait.PROCESS)
        assert {each for each, verdict in said.items() if verdict == "SKIP"} == named
        assert set(said.values()) <= {"ok", "SKIP"} and "ok" in said.values()


@on_arm
def test_what_is_named_fails_on_arm_unless_it_is_left_out(explored: dict[str, Result], tmp_path: Path) -> None:
    """The other half of the truth: nothing is left out that would have passed."""
    result = explored["classify"]
    bare = replace(result, board_looks=(BoardLook(Trait.HOST),))
    said = on_board(board_files(placed(bare, tmp_path / "bare", "board")), tmp_path / "bare")
    named = failing(result, Trait.CHAR) | failing(result, Trait.LONG) | failing(result, Trait.PROCESS)
    assert {each for each, verdict in said.items() if verdict == "not ok"} == named


@on_arm
@pytest.mark.parametrize(
    ("old", "new"), [("level++", "level += 2"), ("exit(3)", "exit(4)"), ("return 9999", "return 1")]
)
def test_a_changed_unit_is_noticed_on_arm(old: str, new: str, explored: dict[str, Result], tmp_path: Path) -> None:
    result = explored["total" if "9999" in old else "classify"]
    source = tmp_path / "unit.c"
    source.write_text(UNIT.replace(old, new))
    program = replace(result.program, sources=(source,), include=source)
    said = on_board(
        board_files(placed(replace(result, program=program), tmp_path / "suite", "board")), tmp_path / "suite"
    )
    assert "not ok" in said.values()


@on_arm
@pytest.mark.skipif("UNITY_DIR" not in os.environ, reason="Unity's sources are wanted: set UNITY_DIR")
def test_with_unity(explored: dict[str, Result], tmp_path: Path) -> None:
    unity = Path(os.environ["UNITY_DIR"]) / "src"
    more = (f"-I{unity}", "-DUNITY_SUPPORT_64", str(unity / "unity.c"))
    result = explored["total"]
    said = on_board(board_unity_files(placed(result, tmp_path / "good", "board-unity")), tmp_path / "good", *more)
    assert set(said.values()) == {"ok"}
    source = tmp_path / "unit.c"
    source.write_text(UNIT.replace("return 9999", "return 1"))
    changed = replace(result, program=replace(result.program, sources=(source,), include=source))
    said = on_board(board_unity_files(placed(changed, tmp_path / "bad", "board-unity")), tmp_path / "bad", *more)
    assert "not ok" in said.values()


def test_a_unit_with_registers_has_no_tests_there_and_says_why(tmp_path: Path) -> None:
    source = tmp_path / "uart.c"
    source.write_text("int ready(void) { return *(volatile unsigned *)0x40001000u & 1 ? 3 : 4; }\n")
    result = campaign.run(BuildOptions(sources=(source,), entry="ready"), SearchOptions(budget=5.0))
    text = board_files(placed(result, tmp_path, "board"))["test_ready.c"].decode()
    assert "is not written: it reads registers" in text and "veer_expect" not in text.split("---- tests ---")[1]
