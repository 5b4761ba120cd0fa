"""Branches of a source that a compiler makes a calculation: tests of the machine code have both sides of each."""

from __future__ import annotations

from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine import TARGETS, compiled
from test_machine_library import given

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """
int kind(unsigned char x, unsigned char y, unsigned char z) {
    if (x == 9) return y + z == 300 ? 5 : 4;
    if (x > 200 && y == 77) return 3;
    return z < 10 ? 2 : x == 13;
}
"""


def kind(x: int, y: int, z: int) -> int:
    """The same in Python."""
    if x == 9:
        return 5 if y + z == 300 else 4
    if x > 200 and y == 77:
        return 3
    return 2 if z < 10 else int(x == 13)


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "riscv64"))
def test_both_sides_of_what_is_calculated_have_a_test(name: str, tmp_path: Path) -> None:
    path = compiled(name, UNIT, "-O2", tmp_path)
    build = BuildOptions((path,), "kind", prototype="int kind(unsigned char x, unsigned char y, unsigned char z)")
    result = campaign.run(build, SearchOptions(budget=60, shrink=False))
    assert {test.replayed for test in result.tests} == {"same"}
    seen = set()
    for test in result.tests:
        values = given(test)
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        assert returned == kind(values.get("x", 0), values.get("y", 0), values.get("z", 0)), values
        seen.add(returned)
    assert seen == {0, 1, 2, 3, 4, 5}
