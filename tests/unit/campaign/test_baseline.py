"""Bugs that a team has accepted: files of fingerprints, and what becomes of the bugs that stand in one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from output_samples import result

from veer.campaign.baseline import accepted, read_baseline
from veer.cli.app import main
from veer.model.coverage import SourceText
from veer.model.errors import UsageError
from veer.model.fingerprint import with_fingerprints
from veer.model.values import replace
from veer.report import baseline, github, junit, sarif
from veer.report.page import bug_sections
from veer.report.severities import counted

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

SOURCE = """
int half(int x) { return 100 / x; }
"""
MOVED = """
/* inserted */

int half(int x)   { return  100 / x; }
"""
CHANGED = """
int half(int x) { return 50 / x; }
"""


def test_a_fingerprint_has_the_text_of_the_line_and_not_its_number() -> None:
    bug = replace(result().bugs[0], file="a.c", line=2)
    one, moved, other = (
        with_fingerprints("f", [each], [SourceText("a.c", lines)])[0].fingerprint
        for each, lines in (
            (bug, ("int x;", "  x =  y;")),
            (replace(bug, line=3), ("", "int x;", "x = y;")),
            (bug, ("int x;", "x = z;")),
        )
    )
    assert one == moved == f"f {bug.outcome.key} {bug.function} x = y;"
    assert other != one


def test_a_line_that_nobody_knows_leaves_the_rest() -> None:
    bug = replace(result().bugs[0], file="gone.c", line=7, function="")
    assert with_fingerprints("f", [bug], [])[0].fingerprint == f"f {bug.outcome.key} -"


def test_what_is_written_is_read_and_accepted(tmp_path: Path) -> None:
    found = result()
    found = replace(found, bugs=with_fingerprints("testme", found.bugs, found.texts))
    file = tmp_path / "baseline.txt"
    file.write_text(baseline.render(found))
    known = accepted(found, read_baseline([str(file)]))
    assert [bug.is_accepted for bug in known.bugs] == [True] * len(found.bugs)
    assert found.bugs_at_least("contract") and not known.bugs_at_least("contract")
    assert counted(known.bugs) == f"no bugs, {len(found.bugs)} of the baseline"
    assert "::error" not in github.render(known) and "<failure" not in junit.render(known)
    assert all("suppressions" in each for each in json.loads(sarif.render(known))["runs"][0]["results"])
    assert [section.heading for section in bug_sections(known)] == ["Of the baseline"]


@pytest.mark.parametrize("text", ["f out-of-bounds-read", "f no-such-kind g x = 1;", "just words that are none"])
def test_a_line_that_is_no_fingerprint_is_told_with_its_place(tmp_path: Path, text: str) -> None:
    file = tmp_path / "baseline.txt"
    file.write_text(f"# accepted\n\n{text}\n")
    with pytest.raises(UsageError, match=r"baseline\.txt:3: .*ENTRY KIND FUNCTION TEXT"):
        read_baseline([str(file)])


def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot be read"):
        read_baseline([str(tmp_path / "none.txt")])
    with pytest.raises(UsageError, match="cannot be read"):
        read_baseline(["\0"])


def test_an_accepted_bug_passes_where_lines_have_moved_and_fails_where_its_line_has_changed(tmp_path: Path) -> None:
    source, out = tmp_path / "unit.c", tmp_path / "out"
    asked = ["test", str(source), "--entry", "half", "--out", str(out), "--quiet"]
    source.write_text(SOURCE)
    assert main([*asked, "--format", "baseline"]) == 1
    file = tmp_path / "accepted.txt"
    file.write_text((out / "baseline.txt").read_text())
    assert "half division half int half(int x) { return 100 / x; }" in file.read_text().splitlines()
    source.write_text(MOVED)
    assert main([*asked, "--baseline", str(file)]) == 0
    assert json.loads((out / "summary.json").read_text())["bugs"][0]["accepted"] is True
    source.write_text(CHANGED)
    assert main([*asked, "--baseline", str(file)]) == 1
