"""Suites notice every change of what a function builds: blocks behind results, out-parameters and static data; frees.

The programs and all their mutants are made of seeds. Of each the suite passes with the program as it is, with each
compiler and with a sanitizer, and fails with each mutant.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from made_programs import CHOSEN, RIGHT, Program, made_program
from sampling import first
from suite_builds import compiler_command, zig_command

from veer import plugins
from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.toolchain.compiler import find, zig_cache

_HEAD = "#include <stdlib.h>\n#include <string.h>\n"


def suite_of(folder: Path, program: Program, budget: float = 20.0) -> Result:
    source = folder / "unit.c"
    source.write_text(_HEAD + RIGHT + program.text)
    result = campaign.run(BuildOptions(sources=(source,), entry="build"), SearchOptions(budget=budget))
    for file, data in plugins.find("veer.suites", "plain").files(result).items():
        (folder / file).write_bytes(data)
    source.write_text(_HEAD + CHOSEN + program.text)
    return result


def compiled(folder: Path, name: str, command: tuple[str, ...]) -> Path:
    cache = str(zig_cache(find(None)))
    environment = dict(os.environ, ZIG_LOCAL_CACHE_DIR=cache, ZIG_GLOBAL_CACHE_DIR=cache)
    words = [*command, "-std=gnu11", "-Wall", "-Wextra", "test_build.c", "-lm", "-o", name]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0 and not done.stderr, done.stderr
    return folder / name


def passes(suite: Path, mutant: int) -> bool:
    # Reused addresses would hide what is freed too late; leaks are no affair of these programs.
    environment = dict(os.environ, MUTANT=str(mutant), ASAN_OPTIONS="detect_leaks=1")
    return subprocess.run([suite], cwd=suite.parent, capture_output=True, env=environment).returncode == 0


@pytest.mark.parametrize("seed", first(3, 120))
def test_each_mutant_is_noticed(tmp_path: Path, seed: int) -> None:
    program = made_program(seed)
    result = suite_of(tmp_path, program)
    assert any(test.outcome is Outcome.RETURNED and test.left.is_confirmed for test in result.tests)
    suite = compiled(tmp_path, "suite", compiler_command())
    assert passes(suite, 0)
    missed = [number for number in range(1, program.mutants + 1) if passes(suite, number)]
    assert not missed, [line for line in program.lines for number in missed if f"M({number}," in line]


@pytest.mark.skipif(shutil.which("gcc") is None, reason="no gcc: the sanitizers of the pinned compiler are not there")
def test_the_suite_passes_with_each_compiler_and_with_sanitizers(tmp_path: Path) -> None:
    suite_of(tmp_path, made_program(1))
    for number, command in enumerate(((*zig_command(), "-O2"), ("gcc", "-O2"), ("gcc", "-g", "-fsanitize=address"))):
        assert passes(compiled(tmp_path, f"suite_{number}", command), 0), command


def test_no_address_stands_in_a_suite(tmp_path: Path) -> None:
    """The texts of two campaigns over the same source are the same, whatever lies where.

    The budget leaves the steps behind the search more time than they need on a busy machine.
    """
    texts = []
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        suite_of(tmp_path / name, made_program(2), budget=600.0)
        text = (tmp_path / name / "test_build.c").read_text()
        texts.append(re.sub(r"^ \*.*$|^#include.*$", "", text, flags=re.MULTILINE))
    assert texts[0] == texts[1] and "0x2000" not in texts[0]


UNION = """
union value { int i; unsigned char bytes[4]; double d; };
struct item { int kind; union { unsigned u; int n; } small; union value large; };
struct item *build(int k)
{
    struct item *p = malloc(sizeof *p);
    if (!p)
        return 0;
    p->kind = k > 3;
    p->small.n = M(1, k * 3, k * 4);
    if (k > 3)
        p->large.d = M(2, 2, 3);
    else
        p->large.i = k;
    return p;
}
"""


def test_unions_of_new_blocks_are_compared_where_all_of_a_number_is_written(tmp_path: Path) -> None:
    suite_of(tmp_path, Program(UNION, 2))
    suite = compiled(tmp_path, "suite", compiler_command())
    assert passes(suite, 0) and not passes(suite, 1)
    assert "large.i" not in (tmp_path / "test_build.c").read_text()  # its other bytes nobody has written
