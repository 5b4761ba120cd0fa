"""A copy onto itself is a bug where gcc's address sanitiser says so, and for no other input."""

from __future__ import annotations

import subprocess
from itertools import product
from pathlib import Path

import pytest
from scale.brute import has_sanitisers
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

SOURCE = """
#include <stdlib.h>
#include <string.h>
int f(unsigned char which, unsigned char x) {
    char text[16] = "abcdefg", *heap = malloc(8);
    int small[4] = {1, 2, 3, 4};
    if (!heap) return -1;
    strcpy(heap, "xyz");
    x %= 8;
    switch (which % 10) {
    case 0: memcpy(text + x, text, 4); break;
    case 1: memcpy(text + 8, text, x); break;
    case 2: memcpy(text + 3, text, x); break;
    case 3: strcpy(text, text + x); break;
    case 4: strcpy(text + 8, text + x); break;
    case 5: strcat(text, text + x); break;
    case 6: memmove(text + 1, text, x); break;
    case 7: strncpy(text, text + 4, x); break;
    case 8: memcpy(small + x % 3, small + 1, 2 * sizeof *small); break;
    case 9: strncat(text, heap + x % 4, 3); break;
    }
    free(heap);
    return text[2] + small[0];
}
"""
DRIVER = """
#include "unit.c"
int main(int argc, char **argv) { return argc < 3 || f(atoi(argv[1]), atoi(argv[2])) == 1; }
"""


@pytest.mark.skipif(not has_sanitisers(), reason="gcc and its sanitisers say which copies overlap: gcc is not here")
def test_the_sanitiser_sees_the_same_overlaps(tmp_path: Path) -> None:
    unit, driver, program = tmp_path / "unit.c", tmp_path / "driver.c", tmp_path / "program"
    unit.write_text(SOURCE)
    driver.write_text(DRIVER)
    flags = ("-w", "-fno-builtin", "-fsanitize=address", "-o", str(program))
    subprocess.run(["gcc", *flags, str(driver)], check=True)

    def overlaps(which: int, x: int) -> bool:
        done = subprocess.run([program, str(which), str(x)], capture_output=True, text=True)
        return "param-overlap" in done.stderr

    expected = {which for which, x in product(range(10), range(8)) if overlaps(which, x)}
    assert expected == {0, 2, 3, 5, 8}, "the program shows each of them"
    result = explore(BuildOptions((unit,), "f"), SearchOptions(budget=30.0))
    lines = SOURCE.splitlines()
    shown = {bug.test: int(lines[bug.line - 1].split()[1].rstrip(":")) for bug in result.bugs}
    assert set(shown.values()) == expected, [bug.message for bug in result.bugs]
    kinds = {shown[bug.test]: bug.outcome for bug in result.bugs}
    assert kinds.pop(5) is Outcome.BOUNDS_WRITE, "the end of its source is overwritten before it comes there"
    assert set(kinds.values()) == {Outcome.UNDEFINED}
    assert result.ending.claim == "paths", result.ending
    for test in result.tests:
        which, x = (root.cells[0].value.bits for root in test.inputs.roots)
        assert overlaps(which, x) == (test.name in shown), test.name
