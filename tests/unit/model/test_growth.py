"""Programs whose bounds have grown, and the words for it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from veer.model.growth import grown, grown_words
from veer.model.program import BoundKind, ExtentKind, HarnessKind, Program, SymbolicFile, Type, TypeKind

_TEXT = Type(1, TypeKind.POINTER, "char *", 8, extent=ExtentKind.STRING, maximum=8, bound=BoundKind.LENGTH)
_OWN = Type(2, TypeKind.POINTER, "char *", 8, extent=ExtentKind.STRING, maximum=8)
_ARRAY = Type(3, TypeKind.POINTER, "int *", 8, extent=ExtentKind.COUNT, maximum=4, bound=BoundKind.ARRAY)
_LENGTH = Type(4, TypeKind.SIGNED, "signed char", 1, maximum=8, bound=BoundKind.LENGTH)
_WORDS = ("max-length 8", "max-length 8 of s", "max-array 4", "one object behind a pointer")


def _program() -> Program:
    types = (_TEXT, _OWN, _ARRAY, _LENGTH)
    return Program("toy", HarnessKind.FUNCTION, (), Path("toy"), (), types, (), bounds=_WORDS)


def test_only_what_the_bound_decides_grows() -> None:
    larger = grown(_program(), {BoundKind.LENGTH: 2})
    assert [row.maximum for row in larger.types] == [32, 8, 4, 32]
    assert larger.bounds == ("max-length 32", *_WORDS[1:])


def test_a_length_stays_a_number_of_its_type() -> None:
    assert grown(_program(), {BoundKind.LENGTH: 4}).types[3].maximum == 127


def test_standard_input_grows_and_files_stay() -> None:
    program = replace(_program(), files=(SymbolicFile("settings", 8), SymbolicFile("stdin", 8)))
    assert [file.size for file in grown(program, {BoundKind.INPUT: 1}).files] == [8, 16]


def test_without_doublings_nothing_changes() -> None:
    assert grown(_program(), {}) == _program()
    assert grown_words("graph-depth 3", {BoundKind.DEPTH: 1}) == "graph-depth 6"
