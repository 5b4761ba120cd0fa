"""`errno` and numbers from text on machines of 32 bits, against a model in Python of what C says of them.

Numbers lie below, at and above the greatest ones of 32 bits; `errno` is 7 or 0 before the call, and keeps that where
nothing fails.
"""

from __future__ import annotations

import errno
from itertools import product
from pathlib import Path

import pytest
from machine_extra import NEEDS_MACHINE
from sampling import sampled
from test_machine_library import TARGETS, given, zig

from veer.campaign import run as campaign
from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

pytestmark = NEEDS_MACHINE
UNIT = """\
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
static int said(int what) {
    return 10 * what + (errno == ERANGE ? 1 : errno == EINVAL ? 2 : errno == 7 ? 3 : errno ? 4 : 0);
}
int number(uint8_t which, uint8_t a, uint8_t b) {
    char text[16] = {0}, *at = text;
    if (which > 4 || a > 15 || b > 15) return -1;
    if (a & 8) *at++ = '-';
    memcpy(at, "42949672", 8), at += 8;
    *at++ = (char)('2' + (a & 7));
    *at++ = (char)('2' + (b & 7));
    if (b & 8) at[-3] = 0;
    errno = b & 1 ? 7 : 0;
    switch (which) {
    case 0: { unsigned long v = strtoul(text, 0, 10); return said(v == ULONG_MAX ? 1 : v < 99999999 ? 2 : 3); }
    case 1: {
        long v = strtol(text, &at, 10);
        return said(v == LONG_MAX ? 1 : v == LONG_MIN ? 2 : v < 0 ? 3 : 4) + 100 * (*at != 0);
    }
    case 2: return strtoul(text, 0, 1) ? 0 : said(0);
    case 3: { unsigned long long v = strtoull(text, 0, 10); return said(v > ULONG_MAX ? 1 : 2); }
    default: { int first = (strtol(text, 0, 10), said(0)); return (strtol("5", 0, 10), said(0)) * 100 + first; }
    }
}
"""
MOST, MOST_SIGNED, LEAST_SIGNED = (1 << 32) - 1, (1 << 31) - 1, -(1 << 31)
ARCHITECTURES = {name: TARGETS[name] for name in ("arm", "powerpc", "riscv32")}
IN_EACH_CHECK = ("powerpc",)


def expected(which: int, a: int, b: int) -> int:
    """What C says, with numbers of the host that have no end."""
    if which > 4 or a > 15 or b > 15:
        return -1
    digits = "42949672" + str(2 + (a & 7)) + str(2 + (b & 7))
    value = int(digits[:7] if b & 8 else digits) * (-1 if a & 8 else 1)
    before = {7: 3, 0: 0}[7 if b & 1 else 0]
    if which == 0:
        fits = abs(value) <= MOST
        number = value % (MOST + 1) if fits else MOST
        return 10 * (1 if number == MOST else 2 if number < 99999999 else 3) + (before if fits else 1)
    clamped = max(LEAST_SIGNED, min(value, MOST_SIGNED))
    failed = before if clamped == value else 1
    if which == 1:
        return 10 * {MOST_SIGNED: 1, LEAST_SIGNED: 2}.get(clamped, 3 if clamped < 0 else 4) + failed
    if which == 2:
        return {errno.EINVAL: 2}[errno.EINVAL]
    if which == 3:
        return 10 * (1 if value % (1 << 64) > MOST else 2) + before
    return failed * 100 + failed


@pytest.mark.parametrize("name", sampled(ARCHITECTURES, lambda name: name in IN_EACH_CHECK))
def test_numbers_and_errno_are_those_of_32_bits(name: str, tmp_path: Path) -> None:
    source, output = tmp_path / "unit.c", tmp_path / "unit.o"
    source.write_text(UNIT)
    zig("-target", ARCHITECTURES[name], "-O1", "-fno-sanitize=all", "-fno-stack-protector", "-c", source, "-o", output)
    build = BuildOptions((output,), "number", prototype="int number(uint8_t which, uint8_t a, uint8_t b)")
    result = campaign.run(build, SearchOptions(criterion="path", budget=90, shrink=False, keep_going=True))
    assert result.ending.claim == "paths", result.ending
    assert not result.bugs
    assert {test.replayed for test in result.tests} == {"same"}
    assert {test.outcome for test in result.tests} == {Outcome.RETURNED}
    seen = set()
    for test in result.tests:
        values = given(test)
        arguments = [values.get(each, 0) for each in ("which", "a", "b")]
        returned = int.from_bytes(test.returned or b"", "little", signed=True)
        assert returned == expected(*arguments), arguments
        seen.add((arguments[0], returned))
    every = {(which, expected(which, a, b)) for which, a, b in product(range(5), range(16), range(16))}
    assert every <= seen, "an input has a result that no test has"
