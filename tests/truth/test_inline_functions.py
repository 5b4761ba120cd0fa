"""Inline functions of C99, of which a compiler makes no code at -O0: they are what their text says, no stubs."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import veer

SOURCE = """
#include "own.h"
inline int chosen(int x) { return x > 3 ? 10 : 20; }
int f(int x) { return chosen(x) == 15 ? 1 / (x - x) : thrice(x & 7) == 7 ? 2 : chosen(x); }
"""
HEADER = "#define INLINE __inline__\nINLINE int thrice(int x) { return 3 * x; }\n"


def test_an_inline_function_is_no_stub(tmp_path: Path) -> None:
    (tmp_path / "unit.c").write_text(SOURCE)
    (tmp_path / "own.h").write_text(HEADER)
    result = veer.test(tmp_path / "unit.c", entry="f", budget="5s", out=tmp_path / "out")
    assert not result.bugs and not result.program.stubs
    returned = sorted(int.from_bytes(test.returned or b"", "little") for test in result.tests)
    assert returned == [10, 20]
    assert [test.replayed for test in result.tests] == ["same"] * 2
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed: the suite's own command is not tried")
    text = (tmp_path / "out" / "suite" / "test_f.c").read_text()
    command = next(line.strip(" *") for line in text.splitlines() if line.strip(" *").startswith("gcc "))
    subprocess.run(command, shell=True, cwd=tmp_path / "out" / "suite", check=True, capture_output=True)
    assert (
        "2 of 2 tests passed"
        in subprocess.run(
            ["./test_f"], cwd=tmp_path / "out" / "suite", check=True, capture_output=True, text=True
        ).stdout
    )
