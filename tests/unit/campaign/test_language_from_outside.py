"""A language from outside, end to end: nothing of veer's knows Tape, whose truth is an interpreter in Python."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
import tape_language

from veer.campaign import languages
from veer.campaign import run as campaign
from veer.campaign.deliver import deliver, export
from veer.campaign.languages import language_of
from veer.cli.app import main
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

CLASSIFY = """\
entry classify a b      # what veer has to find: a below b, their difference 7, and a division by 0
  push a
  push b
  less
  unless above
  push b
  push a
  subtract
  push 7
  equal
  unless other
  push 100
  push a
  divide
  give
other:
  push 2
  give
above:
  push a
  push -3
  equal
  unless fine
  fail
fine:
  push 0
  give
entry idle
  push 1
  give
"""


@pytest.fixture
def source(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A source in Tape, with the language installed."""
    tape_language.install(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    file = tmp_path / "unit.tape"
    file.write_text(CLASSIFY)
    return file


def test_its_entries_are_listed(source: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", str(source)]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "classify  (unit.tape:1)",
        "    a: any number",
        "    b: any number",
        "idle  (unit.tape:28)",
        "2 of 2 functions can be an entry",
    ]


def test_a_campaign_ends_with_tests_that_its_interpreter_confirms(source: Path, tmp_path: Path) -> None:
    search = SearchOptions(criterion="mcdc", budget=60.0)
    result = campaign.run(BuildOptions((source,), "classify"), search)
    deliver(result, tmp_path / "out").checked()
    assert (result.ending.kind, result.ending.claim) == ("exhausted", "paths")
    assert result.toolchain == "tape's own"
    ends = {(bug.outcome, bug.line, bug.confirmed) for bug in result.bugs}
    assert ends == {(Outcome.DIVISION, 14, "plain"), (Outcome.ASSERTION, 24, "plain")}
    assert {test.replayed for test in result.tests} == {"same"}
    assert result.coverage.branches is not None
    assert (result.coverage.branches.covered, result.coverage.branches.total) == (6, 6)
    assert result.coverage.lines is not None
    assert result.coverage.lines.covered == result.coverage.lines.total == 24
    assert result.coverage.mcdc is not None
    assert (result.coverage.mcdc.covered, result.coverage.mcdc.total) == (3, 3)


def test_its_own_suite_is_written_and_replayed(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert (
        main(["test", str(source), "--entry", "classify", "--out", str(out), "--format", "reel,junit", "--quiet"]) == 1
    )
    summary = json.loads((out / "summary.json").read_text())
    assert (summary["language"], summary["suite"]) == ("tape", "suite/classify.reel")
    text = (out / "suite" / "classify.reel").read_text()
    assert (out / "suite" / "reel" / "tests.reel").read_text() == text
    assert {bug["inputs"]["b"] for bug in summary["bugs"] if bug["kind"] == "division"} == {"+7"}
    assert "b = +7" in (out / "junit.xml").read_text()
    assert "=> gives +2" in text
    assert "=> ends: division" in text
    assert main(["replay", str(out)]) == 0
    assert f"{len(summary['tests'])} of {len(summary['tests'])} ended as they were recorded" in capsys.readouterr().out
    (out / "suite" / "classify.reel").write_text(text.replace("gives +2", "gives +3"))
    assert main(["replay", str(out)]) == 1
    assert "differs: gives +2, expected gives +3" in capsys.readouterr().out


def test_a_suite_of_another_language_is_refused(source: Path, tmp_path: Path) -> None:
    result = campaign.run(BuildOptions((source,), "idle"), SearchOptions(budget=20.0))
    with pytest.raises(UsageError, match="--format plain writes no tests in tape: it is for c"):
        export(result, "plain", tmp_path / "suite")


def test_an_option_that_means_nothing_for_it_is_refused(source: Path) -> None:
    with pytest.raises(UsageError, match="--define means nothing for Tape"):
        campaign.run(BuildOptions((source,), "classify", define=("A=1",)), SearchOptions())


def test_a_program_is_in_one_language(source: Path) -> None:
    with pytest.raises(UsageError, match=r"unit\.tape is Tape and .*unit\.c is C"):
        language_of((source, source.with_suffix(".c")))


def test_every_option_of_a_build_has_a_name_for_its_refusal(source: Path) -> None:
    given = {"own_bounds": (("max-length", "a", 3),), "flags_of": (("unit.tape", ("-x",)),)}
    for name, value in given.items():
        with pytest.raises(UsageError, match=r"^--[a-z-]+( NAME=N)? means nothing for Tape: leave it out$"):
            campaign.run(BuildOptions((source,), "classify", **{name: value}), SearchOptions())  # type: ignore[arg-type]
    named = {each.name for each in fields(BuildOptions)} - {"sources", "entry"}
    assert named <= set(languages._FLAGS)
