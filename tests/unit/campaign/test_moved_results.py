"""A result at the lines of today: lines move with their functions, and nothing is said of a line that nobody knows."""

from __future__ import annotations

import pytest

from veer.campaign.moved import Lines, UnknownLineError
from veer.model.codekeys import FunctionPlace

FILE = "/home/u/a.c"
OLD = (FunctionPlace("f", FILE, 1, 2, 5), FunctionPlace("g", FILE, 8, 9, 12))
NEW = (FunctionPlace("f", FILE, 1, 2, 7), FunctionPlace("g", FILE, 10, 11, 14))
LINES = Lines(OLD, NEW, {FILE})


def test_a_line_moves_with_its_function() -> None:
    assert [LINES.now(FILE, line) for line in (2, 5, 8, 9, 12)] == [2, 5, 10, 11, 14]
    assert LINES.now("/home/u/b.c", 9) == 9


def test_a_line_between_functions_is_unknown() -> None:
    with pytest.raises(UnknownLineError):
        LINES.now(FILE, 6)


def test_sentences_name_the_lines_of_today() -> None:
    assert LINES.text("a.c:9: first at /home/u/a.c:10, not b.c:9", ()) == "a.c:11: first at /home/u/a.c:12, not b.c:9"
    assert LINES.text("it contradicts `x` (line 9)", (FILE,)) == "it contradicts `x` (line 11)"
    assert LINES.text("it contradicts `x` (line 9)", ("/home/u/b.c",)) == "it contradicts `x` (line 9)"


def test_a_line_of_an_unknown_file_is_unknown() -> None:
    with pytest.raises(UnknownLineError):
        LINES.text("line 9", (FILE, "/home/u/b.c"))


def test_of_two_files_of_one_name_neither_is_meant() -> None:
    other = "/home/u/sub/a.c"
    lines = Lines(OLD, NEW, {FILE, other})
    with pytest.raises(UnknownLineError):
        lines.text("a.c:9", ())
