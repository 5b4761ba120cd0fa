"""Requirements that comments at a function name: which comments these are, and where the names appear again."""

from __future__ import annotations

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest

from veer.campaign.requirements import named_in
from veer.cli.app import main


@pytest.mark.parametrize(
    ("comment", "expected"),
    [
        ("/* Limits the speed. @req SRS-104, SRS-105 */", ("SRS-104", "SRS-105")),
        ("// Requirement: 4.2.1", ("4.2.1",)),
        ("/** \\satisfies ABC_7 and ABC_8 as agreed */", ("ABC_7", "ABC_8")),
        ("/* SWR_017: no step is larger than 5. See REQ-BRAKE-3. */", ("SWR_017", "REQ-BRAKE-3")),
        ("/* HLR12.4 */", ("HLR12.4",)),
        ("/* requires that x is 5, SYSTEM2 is no such word, and neither is A-12 */", ()),
        ("/* the request: 5 of them; covers 3 cases */", ()),
        ("/* @req none */", ()),
        ("/* Limits it. Requirement: SRS-9 */", ("SRS-9",)),
        ("/* The supply requirements: 2.4 V at full speed */", ()),
        ("/* Reference : /SYS_ARM7X.pl/1.3/ */", ()),
        ("/* see SYS_2a and src/SYS3/x.c; SRS-12. */", ("SYS_2a", "SRS-12")),
    ],
)
def test_what_a_comment_names(comment: str, expected: tuple[str, ...]) -> None:
    assert named_in(comment) == expected


HEADER = """#ifndef LIMIT_H
/* REQ-9: it never fails. */
int limit(int speed);
/* REQ-77: of another one. */
int other(int speed);
#endif
"""
UNIT = """#include "limit.h"
/* REQ-1: of what stands before. */
static int gear = 1; /* REQ-2 */

/* Limits the speed.
 * @req SRS-104
 */
// @req 12.3
int
limit(int speed) /* SWR-5 */
{
    /* REQ-3: of a line within. */
    return speed > 50 ? 50 : speed + gear - 1;
}
/* REQ-4: behind it */
"""


def test_they_are_in_names_suite_and_reports(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "limit.h").write_text(HEADER)
    (tmp_path / "limit.c").write_text(UNIT)
    out = tmp_path / "out"
    words = [str(tmp_path / "limit.c"), "--entry", "limit", "--out", str(out), "--format", "junit"]
    assert main(["test", *words]) in (0, 1)
    assert "SRS-104, 12.3, SWR-5, REQ-9" in capsys.readouterr().out
    summary = json.loads((out / "summary.json").read_text())
    assert summary["requirements"] == {"limit": ["SRS-104", "12.3", "SWR-5", "REQ-9"]}
    suite = (out / "suite" / "test_limit.c").read_text()
    assert "Requirements: SRS-104, 12.3, SWR-5, REQ-9." in suite and "test_limit_SRS_104_12_3_returns_50" in suite
    assert "SRS-104, 12.3, SWR-5, REQ-9" in (out / "report.html").read_text()
    told = ElementTree.parse(out / "junit.xml")
    assert [each.get("value") for each in told.iter("property")] == ["SRS-104, 12.3, SWR-5, REQ-9"]
    assert all("requirements: SRS-104" in (each.text or "") for each in told.iter("system-out"))


def test_headers_of_installed_packages_are_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "env" / "include"
    package.mkdir(parents=True)
    (package / "limit.h").write_text(HEADER)
    (tmp_path / "veer.toml").write_text("[project]\n")
    (tmp_path / "unit.c").write_text(UNIT)
    out = tmp_path / "out"
    words = ["test", str(tmp_path / "unit.c"), "--entry", "limit", "-I", str(package), "--out", str(out), "--quiet"]
    monkeypatch.setattr("veer.campaign.requirements._OTHERS", f"{tmp_path}/env/")
    assert main(words) in (0, 1)
    summary = json.loads((out / "summary.json").read_text())
    assert summary["requirements"] == {"limit": ["SRS-104", "12.3", "SWR-5"]}
