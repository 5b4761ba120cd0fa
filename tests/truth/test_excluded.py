"""Contracts that leave no input are refused, in one sentence with their place."""

from __future__ import annotations

from pathlib import Path

import pytest

import veer
from veer.model.errors import UsageError

UNIT = """
static int large(int p) { return p > 10; }
/* veer: range(p, 0..5) pre(large) */
int none(int p) { return p; }
/* veer: range(p, 0..50) pre(large) */
int some(int p) { return p; }
"""


def test_a_predicate_that_no_input_satisfies_is_told_of(tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    with pytest.raises(
        UsageError, match=r"unit\.c:3: pre large: no input within p is 0\.\.5 .* satisfies large, so that none is"
    ):
        veer.test(source, "none", budget="5s")
    assert veer.test(source, "some", budget="5s").tests
