"""A suite is committed with its project: it builds and passes where the project was moved to."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from suite_builds import printed

from veer.cli.app import main

UNIT = """
#include "limit.h"
struct range { const int low; int high; const char *const name; const unsigned is_open : 1; };
int twice(int a);
int within(struct range *r, int a)
{
    if (r->name) return -1;
    if (r->is_open && a == LIMIT) return 2;
    return a >= r->low && twice(a) <= r->high;
}
"""


@pytest.fixture(scope="module")
def moved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the suites are, in a project that was moved since they were written."""
    before, after = tmp_path_factory.mktemp("here") / "project", tmp_path_factory.mktemp("there") / "the project"
    (before / "include").mkdir(parents=True)
    (before / "src").mkdir()
    (before / "veer.toml").write_text("")
    (before / "include" / "limit.h").write_text("#define LIMIT 7\n")
    (before / "src" / "within.c").write_text(UNIT)
    (before / "src" / "twice.c").write_text("int twice(int a) { return a > 1000 || a < -1000 ? 0 : 2 * a; }\n")
    words = [str(before / "src" / name) for name in ("within.c", "twice.c")] + ["--entry", "within", "--quiet"]
    words += ["-I", str(before / "include"), "--out", str(before / "tests" / "within"), "--nonnull", "r"]
    assert main(["test", *words, "--format", "plain"]) == 0
    shutil.move(before, after)
    return after / "tests" / "within" / "suite"


def test_no_file_names_the_machine(moved: Path) -> None:
    texts = [file.read_text() for file in moved.rglob("*") if file.is_file()]
    assert texts and not any("/here" in text or str(Path.home()) in text for text in texts)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs gcc")
def test_its_own_command_builds_it(moved: Path) -> None:
    lines = (moved / "test_within.c").read_text().splitlines()
    command = next(line for line in lines if " gcc " in line).lstrip(" *")
    printed(f"{command} -Wall -Wextra -Werror", moved)
    assert "not ok" not in printed("./test_within", moved)


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("gcc")), reason="needs cmake and gcc")
def test_cmake_builds_it(moved: Path, tmp_path: Path) -> None:
    printed(f"cmake -B {tmp_path} && cmake --build {tmp_path}", moved / "plain")
    said = printed(["ctest", "--test-dir", str(tmp_path), "--no-tests=error"], moved)
    assert "100% tests passed" in said
