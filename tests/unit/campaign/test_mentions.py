"""Tables of veer.toml for functions that nobody has."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.campaign.contracts import project_terms
from veer.cli.app import main
from veer.model.errors import UsageError


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "unit.c").write_text(
        "int parse(int n) { return n; }\n#define MAKE(T) int vec_##T##_push(T v);\n"
    )
    (tmp_path / "other.h").write_text("int elsewhere(void);\n")
    return tmp_path


def _say(project: Path, function: str) -> None:
    (project / "veer.toml").write_text(f"[function.{function}]\npre = ['ok']\n")


@pytest.mark.parametrize("function", ["parse", "elsewhere", "vec_int_push"])
def test_what_a_file_of_the_project_mentions_may_be_a_function(project: Path, function: str) -> None:
    _say(project, function)
    assert len(project_terms([project / "src" / "unit.c"])) == 1


def test_a_function_that_nobody_has_is_told_with_the_nearest_name(project: Path) -> None:
    _say(project, "prase")
    with pytest.raises(UsageError, match=r"veer.toml:1: no source or header .* 'prase'; do you mean parse"):
        project_terms([project / "src" / "unit.c"])
    (project / "other.h").write_text("int prase(int);\n")
    assert project_terms([project / "src" / "unit.c"]), "the file was changed meanwhile"


def test_what_stands_in_binary_files_is_not_known(project: Path) -> None:
    _say(project, "prase")
    (project / "src" / "unit.elf").write_bytes(b"\x7fELF\0\0")
    assert project_terms([project / "src" / "unit.elf"])


def test_it_gives_exit_code_2(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _say(project, "nothere")
    assert main(["test", "src/unit.c", "--entry", "parse"]) == 2
    assert "no source or header of the project has a function 'nothere'" in capsys.readouterr().err
