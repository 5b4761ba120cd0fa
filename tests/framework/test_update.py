"""`veer update`: a committed suite is made again by the command in its head, and what changed is told test by test."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from suite_builds import compiler_command

from veer.cli.app import main

UNIT = """
#include "limit.h"
int grade(int points, const char *name)
{
    if (name[0] == 0) return -1;
    if (points > LIMIT) return 2;
    return points == 17 ? 1 : 0;
}
"""
KEPT = "/* veer: keep */\n/* The teacher wants this one. */\n/* veer: end keep */\n"


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.is_file()}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with a committed suite in the folder `tests`, moved since."""
    before, after = tmp_path_factory.mktemp("here") / "school", tmp_path_factory.mktemp("there") / "my school"
    for folder in ("src", "include", "tests"):
        (before / folder).mkdir(parents=True)
    (before / "veer.toml").write_text("")
    (before / "include" / "limit.h").write_text("#define LIMIT 50\n")
    (before / "src" / "grade.c").write_text(UNIT)
    words = [str(before / "src" / "grade.c"), "--entry", "grade", "-I", str(before / "include"), "--max-length", "2"]
    out = before / "out"
    assert main(["test", *words, "--seed", "5", "--no-keep-going", "--quiet", "--out", str(out)]) in (0, 1)
    assert main(["export", str(out), "--format", "plain", "--to", str(before / "tests")]) == 0
    shutil.rmtree(out)
    shutil.move(before, after)
    return after


def test_a_story(project: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    tests, unit = project / "tests", project / "src" / "grade.c"
    suite = tests / "test_grade.c"
    command = next(line for line in suite.read_text().splitlines() if "veer test " in line)
    assert "../src/grade.c --entry grade --no-keep-going --seed 5 --max-length 2 -I../include" in command
    monkeypatch.chdir(tests)
    assert main(["update", "test_grade.c"]) == 0
    assert capsys.readouterr().out == "test_grade.c: nothing changed\n"

    # A line of the user's, and a function that returns something else.
    text = suite.read_text()
    name = next(line for line in text.splitlines() if line.startswith("static void test_grade_returns_2"))
    suite.write_text(text.replace(name, KEPT + name).replace("\n/* ---- tests", f"\n{KEPT}/* ---- tests"))
    committed = files(tests)
    unit.write_text(UNIT.replace("return 2;", "return 3;"))
    assert main(["update", str(tests)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2 and told[0].endswith("test_grade.c: 1 change")
    assert told[1].startswith("  test_grade_returns_2") and "returned 2, now returns 3" in told[1]
    assert files(tests) == committed

    assert main(["update", str(tests), "--accept"]) == 0
    written = suite.read_text()
    assert written.count(KEPT) == 2 and 'veer_expect_signed("result", result, 3);' in written
    assert main(["update", str(suite)]) == 0
    done = [*compiler_command(), "-std=gnu11", "-I../include", "test_grade.c", "-o", str(project / "ran")]
    subprocess.run(done, cwd=tests, check=True, timeout=120)
    assert "not ok" not in subprocess.run([str(project / "ran")], capture_output=True, text=True, check=True).stdout

    # Another branch, and one less.
    capsys.readouterr()
    unit.write_text(
        UNIT.replace("points == 17 ? 1 : 0", "0").replace("if (points", "if (name[0] == 'x') return 9;\nif (points")
    )
    assert main(["update", str(tests)]) == 1
    told = capsys.readouterr().out.splitlines()
    assert any("new: test_grade_returns_9" in line for line in told)
    assert files(tests)["test_grade.c"] == written.encode()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("int main(void) { return 0; }\n", "its head does not say how it was made"),
        ("/*\n *     veer test 'a.c --entry f\n */\n", "is no command"),
        ("/*\n *     veer test absent.c --entry f\n */\n", "absent.c: there is no such file"),
        ("/*\n *     veer test absent.c --wrong 3\n */\n", "--wrong: there is no such option"),
    ],
)
def test_what_is_no_suite_is_told(text: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "test_f.c"
    file.write_text(text)
    assert main(["update", str(file)]) == 2
    assert words in capsys.readouterr().err
