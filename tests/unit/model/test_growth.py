"""Programs whose bounds have grown, and the words for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from veer.model.growth import Doublings, grown, grown_words, growth_words
from veer.model.program import HarnessKind, Program, SymbolicFile
from veer.model.state import StateBefore
from veer.model.types import BoundKind, ExtentKind, Type, TypeKind
from veer.model.values import replace

_TEXT = Type(1, TypeKind.POINTER, "char *", 8, extent=ExtentKind.STRING, maximum=8, bound=BoundKind.LENGTH)
_OWN = Type(2, TypeKind.POINTER, "char *", 8, extent=ExtentKind.STRING, maximum=8)
_ARRAY = Type(3, TypeKind.POINTER, "int *", 8, extent=ExtentKind.COUNT, maximum=4, bound=BoundKind.ARRAY)
_LENGTH = Type(4, TypeKind.SIGNED, "signed char", 1, maximum=8, bound=BoundKind.LENGTH)
_BEGINS = "static data as it begins (level)"
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


@pytest.mark.parametrize(
    ("doublings", "bound", "grew"),
    [
        ({}, _BEGINS, ()),
        (
            {BoundKind.CALLS: 1},
            "static data as it begins (level), or as 1 call of set may leave it",
            ("calls-before 1",),
        ),
        (
            {BoundKind.CALLS: 3, BoundKind.STATE: 1},
            f"{_BEGINS}, or as 4 calls of set may leave it, or with any values in level",
            ("calls-before 4", "free-state"),
        ),
    ],
)
def test_static_data_is_a_bound_that_grows_in_words_of_its_own(
    doublings: Doublings, bound: str, grew: tuple[str, ...]
) -> None:
    state = StateBefore(("set",), ("level",), _BEGINS)
    program = replace(_program(), bounds=(*_WORDS, state.begins), state=state)
    assert grown(program, doublings).bounds == (*_WORDS, bound)
    assert growth_words(program, doublings) == grew


def test_the_inputs_of_calls_before_have_bounds_once_there_are_calls() -> None:
    state = StateBefore(("set",), ("level",), _BEGINS, ("max-length 8", "one object"), ("graph-depth 3",))
    program = replace(_program(), bounds=(_BEGINS,), state=state)
    assert grown(program, {BoundKind.LENGTH: 1}).bounds == (_BEGINS,)
    called = grown(program, {BoundKind.LENGTH: 1, BoundKind.CALLS: 1}).bounds
    assert called[1:] == ("max-length 16", "one object")
    assert grown(program, {BoundKind.CALLS: 1, BoundKind.STATE: 1}).bounds[1:] == (
        "max-length 8",
        "one object",
        "graph-depth 3",
    )
