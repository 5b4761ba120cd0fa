"""Test files have names of their own: pytest imports them by these, and takes the second for the first."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

TESTS = Path(__file__).parents[1]


def test_no_two_test_files_have_one_name() -> None:
    counted = Counter(path.name for path in TESTS.rglob("test_*.py"))
    assert len(counted) > 300, "these are the tests"
    assert [name for name, count in counted.items() if count > 1] == []
