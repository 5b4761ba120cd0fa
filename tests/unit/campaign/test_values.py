"""What a user gives for an option, by its kind; the keywords of the Python API are the options."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from veer.campaign import keywords
from veer.campaign.values import chosen, own_bounds
from veer.model.buildoptions import BuildOptions
from veer.model.errors import UsageError
from veer.model.option import Kind, Option, options_of
from veer.model.options import BUILD, OUTPUT, SEARCH, OutputOptions
from veer.model.searchoptions import SearchOptions, SearchSwitches


def given(kind: Kind, value: Any, **more: Any) -> Any:
    """The value of an option of this kind."""
    return chosen([Option("some_thing", "field", kind, None, "", **more)], {"some_thing": value}).get("field")


@pytest.mark.parametrize(
    ("kind", "value", "more", "is_"),
    [
        (Kind.SWITCH, True, {}, True),
        (Kind.NUMBER, 3, {"least": 3}, 3),
        (Kind.NUMBER, 3, {"unit": 1 << 20}, 3 << 20),
        (Kind.TIME, "2m", {}, 120.0),
        (Kind.TIME, 2.5, {}, 2.5),
        (Kind.TEXT, "b", {"choices": ("a", "b")}, "b"),
        (Kind.TEXT, "c", {"groups": ("veer.strategies",)}, "c"),
        (Kind.FILE, "x/y", {}, Path("x/y")),
        (Kind.TEXTS, ["a,b", "c"], {}, ("a,b", "c")),
        (Kind.TEXTS, "a,b", {}, ("a,b",)),
        (Kind.NAMES, ["a,b", "c"], {}, ("a", "b", "c")),
        (Kind.NAMES, "b, a, b", {"choices": ("a", "b", "c")}, ("a", "b")),
        (Kind.BOUND, 5, {}, 5),
        (Kind.BOUND, "s=5", {}, None),
        (Kind.BOUND, ["3", "s=5"], {}, 3),
        (Kind.BOUND, (), {}, None),
    ],
)
def test_values(kind: Kind, value: object, more: dict[str, Any], is_: object) -> None:
    assert given(kind, value, **more) == is_


@pytest.mark.parametrize(
    ("kind", "value", "more", "said"),
    [
        (Kind.NUMBER, 2, {"least": 3}, "--some-thing 2: it must be at least 3"),
        (Kind.NUMBER, "2", {}, "--some-thing 2: that is no whole number"),
        (Kind.TIME, "soon", {}, "--some-thing soon: that is no time"),
        (Kind.TEXT, "c", {"choices": ("a", "b")}, "--some-thing c: there is no such some_thing; known are a, b"),
        (Kind.NAMES, "a,c", {"choices": ("a",), "unknown": "no"}, "--some-thing c: no; known are a"),
        (Kind.BOUND, "s", {}, "write --some-thing N, or --some-thing NAME=N"),
        (Kind.BOUND, "=3", {}, "write --some-thing N, or --some-thing NAME=N"),
        (Kind.BOUND, "a b=3", {}, "write --some-thing N, or --some-thing NAME=N"),
        (Kind.BOUND, "s=-1", {}, "--some-thing s=-1: it must be at least 0"),
    ],
)
def test_what_is_no_value(kind: Kind, value: object, more: dict[str, Any], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        given(kind, value, **more)


def test_what_is_not_given_is_left_to_the_model() -> None:
    assert chosen((*SEARCH, *BUILD), {"seed": None, "std": None, "other": 1}) == {}


def test_bounds_of_single_parameters() -> None:
    asked = {"max_length": ["3", "s=5"], "graph_depth": "p=1"}
    assert own_bounds(BUILD, asked) == (("max-length", "s", 5), ("graph-depth", "p", 1))


def test_an_option_is_a_field_and_no_name_stands_twice() -> None:
    for layers, options in (
        ((SearchOptions, SearchSwitches), SEARCH),
        ((BuildOptions,), BUILD),
        ((OutputOptions,), OUTPUT),
    ):
        assert options == options_of(*layers)
        assert {each.field for each in options} <= {name for layer in layers for name in layer.__dataclass_fields__}
    names = [each.name for each in (*SEARCH, *BUILD, *OUTPUT)]
    assert len(names) == len(set(names))
    assert all(each.help.endswith(".") for each in (*SEARCH, *BUILD, *OUTPUT))


def test_the_committed_keywords_are_the_options() -> None:
    said = subprocess.run([sys.executable, "-m", "veer.campaign.write_keywords"], capture_output=True, text=True)
    assert said.stdout == Path(keywords.__file__).read_text()
