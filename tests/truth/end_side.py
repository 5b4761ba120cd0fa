"""Brute force over all small buffers, and the search beside it, for tests of ends (docs/decisions/0538, 0539)."""

from __future__ import annotations

import subprocess
from pathlib import Path

from suite_builds import compiler_command

import veer
from veer.model.result import Result

MOST = 3
"""Elements."""


def brute_force(folder: Path, unit: str, driver: str) -> set[int]:
    """The numbers that a driver prints, which includes "unit.c"."""
    (folder / "unit.c").write_text(unit)
    (folder / "brute.c").write_text(driver)
    command = [*compiler_command(), "-O1", "-w", str(folder / "brute.c"), "-o", str(folder / "brute")]
    subprocess.run(command, check=True, timeout=120)
    done = subprocess.run([str(folder / "brute")], capture_output=True, text=True, check=True, timeout=120)
    return set(map(int, done.stdout.split()))


def searched(folder: Path, unit: str, entry: str, **options: object) -> Result:
    """The entry's campaign, with buffers of up to MOST elements."""
    source = folder / "unit.c"
    source.write_text(unit)
    result = veer.test(source, entry, budget="60s", max_array=MOST, max_length=MOST, grow=False, **options)
    assert not result.diverged
    return result


def returned(result: Result) -> set[int]:
    """What its tests return."""
    tests = (test.returned for test in result.tests if test.returned is not None)
    return {int.from_bytes(each, "little", signed=True) for each in tests}
