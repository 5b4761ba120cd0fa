"""Places as reports tell them."""

from __future__ import annotations

from pathlib import Path

from veer.report.words import NOWHERE, place


def test_a_place_is_told_from_the_working_directory() -> None:
    assert place(str(Path.cwd() / "unit.c"), 3) == "unit.c:3"
    assert place("/elsewhere/unit.c", 3) == "/elsewhere/unit.c:3"


def test_what_ended_in_a_library_has_no_line() -> None:
    assert place("", 0) == NOWHERE
