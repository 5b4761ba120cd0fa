"""When the results of a whole project's last run stand: only where nothing is other than it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from veer.campaign.lastrun import LastRun, asked_for, forget, is_unchanged, last_run, remember
from veer.model.buildoptions import BuildOptions
from veer.model.folders import LAST_RUN
from veer.toolchain.cache import digest_file

LINES = ("2 of 2 functions tested", "written: out")


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source with a header, and what a run has left in `out`."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.c").write_text('#include "a.h"\nint f(void) { return N; }\n')
    (tmp_path / "a.h").write_text("#define N 1\n")
    (tmp_path / "out" / "f" / "suite").mkdir(parents=True)
    (tmp_path / "out" / "f" / "suite" / "test_f.c").write_text("int main(void) { return 0; }\n")
    return tmp_path


def asked(folder: Path, **given: object) -> str:
    return asked_for({"sources": [folder / "a.c"], **given}, BuildOptions((folder / "a.c",), ""))


def files(folder: Path) -> dict[str, str]:
    return {str(path): digest_file(path) for path in (folder / "a.c", folder / "a.h")}


def unchanged(out: Path, asked: str) -> LastRun | None:
    last = last_run(out)
    return last if last is not None and is_unchanged(last, out, asked) else None


def kept(folder: Path) -> None:
    remember(folder / "out", asked(folder), [files(folder), files(folder)], LINES, 1)


def test_where_nothing_has_changed_the_results_stand(project: Path) -> None:
    kept(project)
    last = unchanged(project / "out", asked(project))
    assert last is not None and (last.lines, last.code) == (LINES, 1)
    assert unchanged(project / "out", asked(project, quiet=True, out=project / "out")) is not None


def edit_header(folder: Path) -> None:
    (folder / "a.h").write_text("#define N 2\n")


def edit_source(folder: Path) -> None:
    (folder / "a.c").write_text((folder / "a.c").read_text().replace("N;", "N + 1;"))


def add_header(folder: Path) -> None:
    (folder / "stdlib.h").write_text("")


def lose_header(folder: Path) -> None:
    (folder / "a.h").unlink()


def edit_suite(folder: Path) -> None:
    (folder / "out" / "f" / "suite" / "test_f.c").write_text("int main(void) { return 1; }\n")


def lose_suite(folder: Path) -> None:
    (folder / "out" / "f" / "suite" / "test_f.c").unlink()


def add_settings(folder: Path) -> None:
    (folder / "veer.toml").write_text("[function.f]\nbudget = '1s'\n")


def break_record(folder: Path) -> None:
    (folder / "out" / LAST_RUN).write_text("{}")


@pytest.mark.parametrize(
    "change",
    [edit_header, edit_source, add_header, lose_header, edit_suite, lose_suite, add_settings, break_record],
    ids=lambda change: change.__name__,
)
def test_one_change_and_nothing_stands(project: Path, change: Callable[[Path], None]) -> None:
    kept(project)
    change(project)
    assert unchanged(project / "out", asked(project)) is None


@pytest.mark.parametrize("given", [{"budget": 5.0}, {"define": ["N=3"]}, {"seed": 2}, {"format": ["sarif"]}])
def test_other_options_ask_for_something_else(project: Path, given: dict[str, object]) -> None:
    kept(project)
    assert unchanged(project / "out", asked(project, **given)) is None


def test_the_content_of_named_files_counts(project: Path) -> None:
    (project / "accepted.json").write_text("[]")
    before = asked(project, baseline=[str(project / "accepted.json")])
    (project / "accepted.json").write_text("[1]")
    assert asked(project, baseline=[str(project / "accepted.json")]) != before


def test_the_environment_counts(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = asked(project)
    monkeypatch.setenv("CPATH", "/elsewhere")
    assert asked(project) != before


def test_a_file_that_changed_during_the_run_keeps_nothing(project: Path) -> None:
    before = files(project)
    edit_header(project)
    remember(project / "out", asked(project), [before, files(project)], LINES, 0)
    assert not (project / "out" / LAST_RUN).exists()


def test_without_known_files_nothing_is_kept(project: Path) -> None:
    remember(project / "out", asked(project), [files(project), {}], LINES, 0)
    assert not (project / "out" / LAST_RUN).exists()


def test_what_is_forgotten_stands_no_more(project: Path) -> None:
    kept(project)
    forget(project / "out")
    assert unchanged(project / "out", asked(project)) is None
