"""Values that a test is moved to: small, distinct, printable, at the edge of its path, never off it."""

from __future__ import annotations

import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from veer.campaign import run as campaign
from veer.findings.readable import Leaf, better
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import Scalar
from veer.model.result import Result
from veer.model.searchoptions import SearchOptions
from veer.wire.layout import LeafKind

INT = Leaf(0, 32, LeafKind.SIGNED, -(1 << 31), (1 << 31) - 1)
CHAR = Leaf(0, 8, LeafKind.CHAR, -128, 127)
BYTE = Leaf(0, 8, LeafKind.UNSIGNED, 0, 255)


@pytest.mark.parametrize(
    ("leaf", "start", "path", "expected"),
    [
        (INT, 0, lambda x: True, 3),
        (INT, 0, lambda x: x < 50, 49),
        (INT, 50, lambda x: x >= 50, 50),
        (INT, 1000, lambda x: x >= 7, 7),
        (INT, 60, lambda x: 50 <= x < 90, 89),
        (INT, 42, lambda x: x == 42, 42),
        (INT, 0, lambda x: x <= 0, 0),
        (INT, -(1 << 31), lambda x: x < -100_000, -100_001),
        (BYTE, 0, lambda x: True, 3),
        (CHAR, 0, lambda c: True, ord("a")),
        (CHAR, ord("f"), lambda c: c == ord("f"), ord("f")),
        (CHAR, 1, lambda c: 0 < c < 10, 9),
        (Leaf(0, 8, LeafKind.BOOL, 0, 1), 0, lambda b: True, 1),
        (Leaf(0, 32, LeafKind.UNSIGNED, 0, 9, (0, 4, 8)), 0, lambda x: x != 4, 8),
        (Leaf(0, 32, LeafKind.UNSIGNED, 0, 2), 0, lambda x: True, 0),
    ],
)
def test_a_value_moves_within_its_path(leaf: Leaf, start: int, path: Callable[[int], bool], expected: int) -> None:
    found = better(leaf, start, path, 0)
    assert path(found) and leaf.low <= found <= leaf.high
    assert found == expected


def test_every_value_tried_is_one_of_the_leaf() -> None:
    tried: list[int] = []
    for turn in range(30):
        better(BYTE, 7, lambda value: tried.append(value) is None, turn)
    assert tried and all(0 <= value <= 255 for value in tried)


def test_fractions_are_short_and_their_bits_right() -> None:
    leaf = Leaf(4, 64, LeafKind.FLOAT, 0, (1 << 64) - 1)
    data = leaf.put(b"\1", better(leaf, 0, lambda bits: True, 0))
    assert data[:4] == b"\1\0\0\0" and struct.unpack("<d", data[4:]) == (3.5,)


def explored(folder: Path, text: str, entry: str) -> Result:
    source = folder / "unit.c"
    source.write_text(text)
    return campaign.run(BuildOptions(sources=(source,), entry=entry), SearchOptions(budget=10.0))


def test_a_campaign_claims_and_counts_as_before_and_its_tests_have_values(tmp_path: Path) -> None:
    head = "int f(int x, int y, int *t, unsigned i) { if (!t || i > 0) return 0; "
    text = head + "if (x == y) return t[i]; return x < 10 ? 1 : 2; }\n"
    result = explored(tmp_path, text, "f")
    assert result.ending.claim == "paths" and not result.bugs
    assert all(test.replayed == "same" for test in result.tests)
    assert result.runs >= result.paths
    shown = {
        cell.value.number
        for test in result.tests
        for root in test.inputs.roots
        for cell in root.cells
        if isinstance(cell.value, Scalar) and cell.value.used
    }
    assert {9, 10} & shown and any(number > 2 for number in shown)


def test_a_bug_that_is_met_on_the_way_is_told(tmp_path: Path) -> None:
    """The search is cut off before it asks for the bug; the probe of 3 meets it."""
    text = (
        "int hash(int x) { return x * 7 % 5; }\nint f(int x, int y) { if (y == 77) return 1; return 10 / (x - 3); }\n"
    )
    source = tmp_path / "unit.c"
    source.write_text(text)
    search = SearchOptions(budget=10.0, max_runs=1)
    result = campaign.run(BuildOptions(sources=(source,), entry="f"), search)
    assert [bug.outcome.key for bug in result.bugs] == ["division"]
    assert result.bugs[0].confirmed == "plain"
