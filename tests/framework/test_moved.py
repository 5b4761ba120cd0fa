"""A suite is committed with its project: it builds and passes where that was moved to, for another user, with gcc and
clang, without a warning."""

from __future__ import annotations

import os
import shutil
import subprocess
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


OTHER_USER = 65534
"""`nobody`; who may become that is root."""


def by_another_user(command: str, folder: Path) -> str:
    """What a line for the shell prints where another user runs it, if this one may become that."""
    changed = {"user": OTHER_USER, "group": OTHER_USER, "extra_groups": []} if os.getuid() == 0 else {}
    given = {"PATH": os.environ["PATH"], "HOME": "/nonexistent"}
    done = subprocess.run(
        command, shell=True, cwd=folder, env=given, capture_output=True, text=True, timeout=120, **changed
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_its_own_command_builds_it(compiler: str, moved: Path) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler} here")
    lines = (moved / "test_within.c").read_text().splitlines()
    command = next(line for line in lines if " gcc " in line).lstrip(" *").replace("gcc", compiler, 1)
    project = moved.parents[2]
    for each, mode in ((project.parent, 0o755), (project, 0o755), (project / "built", 0o777)):
        each.mkdir(exist_ok=True)
        each.chmod(mode)
    made = f"../../../built/{compiler}"  # a path from the root on leads through folders that are closed to others
    by_another_user(f"{command.removesuffix('-o test_within')} -o {made} -Wall -Wextra -Werror", moved)
    assert "not ok" not in by_another_user(made, moved)


@pytest.mark.skipif(not (shutil.which("cmake") and shutil.which("gcc")), reason="needs cmake and gcc")
def test_cmake_builds_it(moved: Path, tmp_path: Path) -> None:
    printed(f"cmake -B {tmp_path} && cmake --build {tmp_path}", moved / "plain")
    said = printed(["ctest", "--test-dir", str(tmp_path), "--no-tests=error"], moved)
    assert "100% tests passed" in said
