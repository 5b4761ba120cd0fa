"""Indices that hang on a condition get one step more, and SROA makes no select of them."""

from __future__ import annotations

import pytest

from veer.instrument.codegen import prepare
from veer.instrument.indices import with_plain_indices

HEAD = 'target triple = "x86_64-unknown-linux-gnu"\n'
TAIL = """
  %p = getelementptr [4 x i32], ptr %cells, i64 0, i64 %k
  %v = load i32, ptr %p
  ret i32 %v
}
"""
VALUES = {
    "zext": "%k = zext i1 %c to i64",
    "sext": "%k = sext i1 %c to i64",
    "select": "%k = select i1 %c, i64 1, i64 2",
}


def function(value: str) -> str:
    return HEAD + f"define i32 @f(i1 %c) {{\n  %cells = alloca [4 x i32]\n  {value}" + TAIL


@pytest.mark.parametrize("value", VALUES.values(), ids=VALUES.keys())
def test_sroa_makes_no_select_of_an_index(value: str) -> None:
    text = prepare(function(value), shows_unwritten=False)
    assert text.count(" = select ") == value.count(" = select "), text


def test_what_is_no_index_stays_as_it_is() -> None:
    text = function("%k = add i64 0, 1\n  %n = zext i1 %c to i64\n  %m = select i1 %c, i64 %n, i64 2")
    assert with_plain_indices(text) == text


def test_metadata_goes_along() -> None:
    value = "%k = select i1 %c, i64 1, i64 2, !dbg !7"
    said = with_plain_indices(function(value))
    assert "  %veer.index.0 = select i1 %c, i64 1, i64 2, !dbg !7\n  %k = add i64 %veer.index.0, 0, !dbg !7\n" in said
