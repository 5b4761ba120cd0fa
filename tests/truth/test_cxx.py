"""Entries in C++: virtual calls, templates, std::vector and exceptions, against what a reader says they return.

What needs libc++, which zig compiles for more than a minute in a new cache, is left to the long check.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sampling import sampled
from veer_side import explore

from veer.frontends.c.declarations import declarations
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UnsupportedInputError
from veer.model.inputs import Scalar
from veer.model.outcome import Outcome
from veer.model.program import Function, Parameter
from veer.model.result import Count, Result
from veer.model.searchoptions import SearchOptions
from veer.model.types import Field, Type

FOLDER = Path(__file__).parent / "cxx"


def shapes(x: int) -> int:
    area = x * x if x > 0 else x
    return 1 if area == 49 else 2 if area <= -7 else 3


def thrown(x: int) -> int:
    if x > 100:
        return 20 if x == 111 else 21
    return 30 if x < -100 else int(x == 5)


def vectors(x: int) -> int:
    return 1 if x + 1 == 9 else int(x + 2 > 120)


WITHOUT_LIBRARY = (shapes,)
CASES = sampled([(shapes, 5), (thrown, 4), (vectors, 2)], lambda case: case[0] in WITHOUT_LIBRARY)


@pytest.mark.xdist_group("cxx")  # of those that need libc++, the first makes it
@pytest.mark.parametrize(("meaning", "paths"), CASES)
def test_every_path_is_found_and_returns_what_it_should(meaning: Callable[[int], int], paths: int) -> None:
    source = FOLDER / ("shapes.cpp" if meaning in WITHOUT_LIBRARY else "library.cpp")
    options = BuildOptions(sources=(source,), entry=meaning.__name__)
    result = explore(options, SearchOptions(criterion="path", budget=60.0))
    assert len(result.tests) == paths
    assert result.ending.kind == "exhausted"
    for test in result.tests:
        assert int.from_bytes(test.returned or b"", "little", signed=True) == meaning(given(result, test.name))


def given(result: Result, name: str) -> int:
    """The x of a test."""
    test = next(each for each in result.tests if each.name == name)
    value = test.inputs.roots[0].cells[0].value
    assert isinstance(value, Scalar)
    return value.bits - 256 if value.bits > 127 else value.bits


def test_new_of_nothing_has_no_bytes_and_new_of_too_much_is_no_null() -> None:
    result = explore(
        BuildOptions(sources=(FOLDER / "shapes.cpp",), entry="blocks"), SearchOptions(criterion="path", budget=60.0)
    )
    assert [bug.outcome for bug in result.bugs] == [Outcome.BOUNDS_WRITE]
    assert result.ending.claim == "none"


def test_the_null_check_of_delete_is_no_branch_of_the_users(tmp_path: Path) -> None:
    source = tmp_path / "freed.cpp"
    source.write_text(
        'extern "C" int freed(int x) { int *p = x > 3 ? new int(x) : nullptr; delete p; int delete_ = x; '
        "return delete_ ? 1 : 2; }\n"
    )
    result = explore(BuildOptions(sources=(source,), entry="freed"), SearchOptions(criterion="path", budget=20.0))
    assert {branch.text for branch in result.branches} == {"x > 3", "delete_"}
    assert result.coverage.branches == Count(4, 4)


NUMBER = Type(0, "signed", "int", 4, 4)


def entry(*types: int) -> Function:
    parameters = tuple(Parameter(f"p{index}", identity) for index, identity in enumerate(types))
    return Function("f", "/u.cpp", 1, parameters, 0, is_static=False)


def test_a_struct_is_declared_with_its_members() -> None:
    link = Type(2, "pointer", "const struct cell *", 8, 8, target=1, const=True)
    cell = Type(1, "struct", "struct cell", 16, 8, fields=(Field("v", 0, 0), Field("next", 8, 2)))
    text = declarations(entry(2), (NUMBER, cell, link))
    assert "struct cell { int v; const struct cell *next; };" in text
    assert "extern int f(const struct cell *);" in text


def test_a_struct_with_a_base_is_not_c() -> None:
    derived = Type(1, "struct", "struct derived", 8, 4, fields=(Field("v", 4, 0),))
    with pytest.raises(UnsupportedInputError, match="struct derived"):
        declarations(entry(1), (NUMBER, derived))
