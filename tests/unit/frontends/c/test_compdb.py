"""compile_commands.json: sources, each with the flags that decide what it means."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from veer.cli.app import main
from veer.frontends.c.compdb import read
from veer.model.errors import UsageError

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick


def _project(folder: Path) -> Path:
    """Two sources that only compile with their own flags, and a main that is not part of the unit."""
    for name, text in {
        "include/helper.h": "int helper(int v);\n",
        "src/a.c": '#include "helper.h"\nint twice(int v) { if (v > LIMIT) return helper(v); return ~v; }\n',
        "src/b.c": '#include "helper.h"\nint helper(int v) { return v == SECRET ? -1 : v; }\n',
        "src/main.c": "int twice(int v);\nint main(void)\n{\n    return twice(1);\n}\n",
    }.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)
    (folder / "build").mkdir()
    entries = [
        {"command": "cc -I../include -DLIMIT=10 -O3 -Wall -MD -MF a.d -o a.o -c ../src/a.c", "file": "../src/a.c"},
        {"arguments": ["cc", "-I", "../include", "-DSECRET=77", "-c", "../src/b.c"], "file": "../src/b.c"},
        {"command": "cc -c ../src/main.c", "file": "../src/main.c"},
        {"command": "c++ -c ../src/other.cc", "file": "../src/other.cc"},
    ]
    database = folder / "build" / "compile_commands.json"
    database.write_text(json.dumps([{"directory": str(folder / "build"), **entry} for entry in entries]))
    return database


def test_flags_that_decide_the_meaning_are_kept(tmp_path: Path) -> None:
    found = dict(read(_project(tmp_path)))
    include = str(tmp_path / "include")
    assert found == {
        tmp_path / "src/a.c": ("-I", include, "-D", "LIMIT=10"),
        tmp_path / "src/b.c": ("-I", include, "-D", "SECRET=77"),
        tmp_path / "src/main.c": (),
    }


def test_a_project_is_tested_with_the_flags_of_each_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    database, out = _project(tmp_path), tmp_path / "out"
    assert main(["test", "--compdb", str(database), "--entry", "twice", "--out", str(out)]) == 0
    assert "branches  4 of 4" in capsys.readouterr().out
    summary = json.loads((out / "summary.json").read_text())
    assert [Path(source).name for source in summary["sources"]] == ["a.c", "b.c"]
    for command in summary["commands"]:
        subprocess.run(command, shell=True, cwd=out / "suite", check=True, timeout=60, stdout=subprocess.DEVNULL)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "is no JSON"),
        ("{}", "is no list"),
        ("[3]", "entry 1 names no file"),
        ('[{"file": "a.c", "command": "cc \'"}]', "no shell would read"),
        ("[]", "names no C source"),
    ],
)
def test_what_is_no_database_is_said_in_one_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "compile_commands.json"
    file.write_text(text)
    with pytest.raises(UsageError, match=sentence):
        read(file)


def test_a_database_that_is_not_there_is_a_wrong_call(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No such file"):
        read(tmp_path / "none.json")
