"""Options in a project's file: where they hold, what is wrong in one sentence, and the file that `veer init` writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.newproject import settings_text
from veer.campaign.settings import Settings, settings
from veer.model.errors import UsageError

TEXT = """
[project]
sources = ["src/*.c"]
include = ["include"]
budget = "5s"
max-length = 12
look-ahead = true

[function.parse]
nonnull = ["text"]
max-length = ["n=3", "9"]
budget = 2
"""


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two sources and a header."""
    for folder in ("src", "include"):
        (tmp_path / folder).mkdir()
    (tmp_path / "src/a.c").write_text("int a;\n")
    (tmp_path / "src/b.c").write_text("int b;\n")
    (tmp_path / "include/a.h").write_text("extern int a;\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_options_hold_for_all_and_for_one(project: Path) -> None:
    (project / "veer.toml").write_text(TEXT)
    found = settings(())
    assert found.sources == (project / "src/a.c", project / "src/b.c")
    assert found.options == {
        "include": [str(project / "include")],
        "budget": "5s",
        "max_length": [12],
        "look_ahead": True,
    }
    assert found.of("other", {"budget": "9s"})["budget"] == "9s"
    assert found.of("parse", {})["budget"] == 2
    assert found.of("parse", {})["max_length"] == ["n=3", "9"]
    assert "nonnull" not in found.of("parse", {})  # a contract


def test_a_table_of_pyproject_serves_as_well(project: Path) -> None:
    (project / "pyproject.toml").write_text("[tool.other]\nx = 1\n")
    assert settings(()) == Settings()
    (project / "pyproject.toml").write_text('[tool.veer.project]\nbudget = "3s"\n[tool.veer.function.f]\njobs = 2\n')
    assert settings(()).of("f", {}) == {"budget": "3s", "jobs": 2}


def test_paths_are_seen_from_the_file(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (project / "veer.toml").write_text('[project]\ninclude = ["include"]\ncompdb = "build/compile_commands.json"\n')
    monkeypatch.chdir(project / "src")
    found = settings([project / "src/a.c"])
    assert found.options["include"] == [str(project / "include")]
    assert found.compdb == project / "build/compile_commands.json"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("[project]\nbudgt = '5s'\n", "veer.toml:2: there is no option or contract 'budgt'; do you mean budget"),
        ("[function.f]\nnonnul = ['p']\n", "veer.toml:2: there is no option or contract 'nonnul'; do you mean nonnull"),
        ("[project]\njobs = 'two'\n", "veer.toml:2: jobs = 'two': it takes a whole number"),
        ("[project]\njobs = true\n", "veer.toml:2: jobs = True: it takes a whole number"),
        ("[project]\nlook-ahead = 1\n", "veer.toml:2: look-ahead = 1: it takes on or off"),
        ("[project]\n\ninclude = [1.5]\n", "veer.toml:3: include: write a list of texts"),
        ("[project]\nsources = 'a.c'\n", "veer.toml:2: sources are written like"),
        ("[project]\nsources = ['lib/*.c']\n", r"veer.toml:2: there is no file lib/\*\.c in"),
        ("[project]\nsources = ['/a.c']\n", "veer.toml:2: /a.c: write a path as seen from veer.toml"),
        ("[project]\ncompdb = 3\n", "veer.toml:2: compdb is the path"),
        ("[projekt]\nx = 3\n", "veer.toml:1: there is no 'projekt'; write tables"),
    ],
)
def test_mistakes_are_one_sentence(project: Path, text: str, sentence: str) -> None:
    (project / "veer.toml").write_text(text)
    with pytest.raises(UsageError, match=sentence):
        settings(())


def test_what_init_writes_is_read_back(project: Path) -> None:
    (project / "veer.toml").write_text(settings_text(project, ()))
    found = settings(())
    assert found.sources == (project / "src/a.c", project / "src/b.c")
    assert found.options == {"include": [str(project / "include")], "budget": "60s"}


def test_init_prefers_what_the_build_system_knows(project: Path) -> None:
    (project / "build").mkdir()
    (project / "build/compile_commands.json").write_text("[]")
    (project / "veer.toml").write_text(settings_text(project, ()))
    assert settings(()).compdb == project / "build/compile_commands.json"
    assert settings(()).sources == ()


def test_init_leaves_tests_out_that_lie_beside_the_sources(tmp_path: Path) -> None:
    for name in ("buffer.c", "test.c", "test_more.c", "latest.c", "more_tests.c"):
        (tmp_path / name).write_text("")
    assert '"buffer.c", "latest.c"]' in settings_text(tmp_path, ())


def test_init_names_the_folders_of_headers_and_leaves_programs_beside_the_library_out(tmp_path: Path) -> None:
    for name in ("lib/src/a.c", "examples/show.c", "tools/make.c", "lib/api/x/a.h", "lib/src/own.h"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "lib/src/a.c").write_text('#include "x/a.h"\n#include "own.h"\n # include "nowhere.h"\n')
    text = settings_text(tmp_path, ())
    assert 'sources = ["lib/src/*.c"]' in text and 'include = ["lib/api"]' in text
    assert 'include = ["lib/api"]' in settings_text(tmp_path, [tmp_path / "lib/src/a.c"])


def test_init_takes_examples_where_there_is_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "examples").mkdir()
    (tmp_path / "examples/show.c").write_text("")
    assert 'sources = ["examples/*.c"]' in settings_text(tmp_path, ())


def test_init_finds_nothing_in_an_empty_folder(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="has no sources"):
        settings_text(tmp_path, ())
