"""A string that leaves its array within an object is a bug where gcc's own library, fortified, ends the program."""

from __future__ import annotations

import shutil
import subprocess
from itertools import product
from pathlib import Path

import pytest
from veer_side import explore

from veer.model.buildoptions import BuildOptions
from veer.model.outcome import Outcome
from veer.model.searchoptions import SearchOptions

SOURCE = """
#include <stdio.h>
#include <string.h>
struct inner { char name[3]; short number; };
struct outer { char first[4]; struct inner in; char last[3]; int end; };
static struct outer kept;
int f(unsigned char which, const char *s) {
    struct outer o = {"", {"", 7}, "", 0};
    if (!s || strlen(s) > 5) return -1;
    switch (which % 6) {
    case 0: strcpy(o.first, s); break;
    case 1: strcat(&o.in.name[1], s); break;
    case 2: sprintf(o.in.name, "%s", s); break;
    case 3: strcpy(kept.last, s); break;
    case 4: strncpy(o.first, s, strlen(s)); break;
    case 5: memcpy(o.first, s, 1); break;
    }
    return o.in.number;
}
"""
DRIVER = """
#include "unit.c"
#include <stdlib.h>
int main(int argc, char **argv) { return argc < 3 || f((unsigned char)atoi(argv[1]), argv[2]) == 99; }
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not here")
def test_the_fortified_library_ends_at_the_same_calls(tmp_path: Path) -> None:
    unit, driver, program = tmp_path / "unit.c", tmp_path / "driver.c", tmp_path / "program"
    unit.write_text(SOURCE)
    driver.write_text(DRIVER)
    command = ["gcc", "-w", "-O2", "-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2", "-o", str(program), str(driver)]
    subprocess.run(command, check=True)
    ended = {
        which
        for which, length in product(range(6), range(6))
        if subprocess.run([program, str(which), "x" * length], stderr=subprocess.DEVNULL).returncode < 0
    }
    assert ended == {0, 1, 2, 3, 4}, "the program shows each of them"
    options = SearchOptions(budget=20.0, keep_going=True)
    result = explore(BuildOptions((unit,), "f", max_length=5), options)
    lines = SOURCE.splitlines()
    found = {lines[bug.line - 1].split(":")[0].split()[-1] for bug in result.bugs}
    assert found == {str(which) for which in ended}
    assert {bug.outcome for bug in result.bugs} == {Outcome.UNDEFINED}
