"""What LLVM's passes make of lifted code, against what the source does for all inputs.

A mask that is shifted by the counter of a loop: its first bits became those of all rounds.
"""

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
MASK, SECOND = 0b1011000, 0b0110
UNIT = f"""
__attribute__((noinline)) static int asks(unsigned char c) {{ return c > 3; }}
int shape(unsigned char a, unsigned char b) {{
    unsigned long long mask = {MASK}, second = {SECOND};
    for (unsigned long long k = 0; k < 7; k++) {{
        unsigned char c = k % 3 ? a : b;
        if (mask >> k & 1) {{ if (c != 9) return (int)k; }}
        else if (asks(c)) return 20 + (int)k;
        if (k < 4 && second >> k & 1 && (a ^ b) == k) return 40 + (int)k;
    }}
    return 60;
}}
"""


def shape(a: int, b: int) -> int:
    """The same in Python."""
    for k in range(7):
        c = a if k % 3 else b
        if MASK >> k & 1:
            if c != 9:
                return k
        elif c > 3:
            return 20 + k
        if k < 4 and SECOND >> k & 1 and a ^ b == k:
            return 40 + k
    return 60


@pytest.mark.parametrize("name", sampled(TARGETS, lambda name: name == "aarch64"))
@pytest.mark.parametrize("level", sampled(("-O1", "-O2", "-Os"), lambda level: level == "-Os"))
def test_a_mask_is_shifted_by_the_counter_of_a_loop(name: str, level: str, tmp_path: Path) -> None:
    build = BuildOptions(
        (compiled(name, UNIT, level, tmp_path),), "shape", prototype="int shape(unsigned char a, unsigned char b)"
    )
    result = campaign.run(build, SearchOptions(criterion="path", budget=60, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert {test.replayed for test in result.tests} == {"same"}
    seen = set()
    for test in result.tests:
        values = given(test)
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        assert returned == shape(values.get("a", 0), values.get("b", 0)), values
        seen.add(returned)
    assert seen == {shape(a, b) for a in range(256) for b in range(256)}
