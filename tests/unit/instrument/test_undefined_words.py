"""What a bug of undefined behaviour is called: by the operation, as the compiler's trap tells it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sampling import sampled

import veer

pytestmark = pytest.mark.slow  # campaigns and builds: not for ./check --quick

UNIT = """
int add(int a, int b) { return a + b; }
unsigned add_unsigned(unsigned a, unsigned b) { return a + b; }
int subtract(int a, int b) { return a - b; }
int multiply(int a, int b) { return a * b; }
int negate(int a) { return -a; }
int shift(int a, unsigned b) { return a << b; }
int at(unsigned i) { static const int x[4] = {1, 2, 3, 4}; return x[i]; }
signed char narrow(int a) { return a; }
int to_int(double a) { return a; }
int length(int n) { char x[n]; x[0] = 1; return x[0]; }
"""


@pytest.mark.parametrize(
    ("entry", "check", "words"),
    sampled(
        [
            ("add", "overflow", "an integer addition overflowed"),
            ("add_unsigned", "unsigned-overflow", "an integer addition overflowed"),
            ("subtract", "overflow", "an integer subtraction overflowed"),
            ("multiply", "overflow", "an integer multiplication overflowed"),
            ("negate", "overflow", "an integer negation overflowed"),
            ("shift", "shift", "a shift by too much, or of a value that it is not defined for"),
            ("at", "array-bounds", "an array index is out of bounds"),
            ("narrow", "conversion", "a conversion changed the value"),
            ("to_int", "float-cast", "a floating-point value does not fit the integer type"),
            ("length", "vla", "the length of an array is not positive"),
        ],
        lambda case: case[0] in ("add", "shift", "narrow", "length"),
    ),
)
def test_a_bug_is_called_by_what_went_wrong(entry: str, check: str, words: str, tmp_path: Path) -> None:
    source = tmp_path / "unit.c"
    source.write_text(UNIT)
    result = veer.test(source, entry, check=[check], budget="10s")
    assert words in [bug.message for bug in result.bugs]
