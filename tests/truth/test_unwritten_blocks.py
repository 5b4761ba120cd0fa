"""Suites hold whatever malloc's blocks begin with: what nobody has written decides no test, and none expects it.

A search without the check of uninitialised memory takes what nobody has written for zeros.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

import veer

SOURCE = """
#include <stdlib.h>
struct table { unsigned char used, room; int *rows; };

int grow(struct table *t, int row)
{
    unsigned char room = t->room ? t->room : 2;
    int *rows = malloc((room + 1) * 2 * sizeof *rows);
    if (rows == NULL) return -1;
    rows[1] = row;
    t->rows = rows;
    return rows[0] > row ? 2 : 1;
}

int push(struct table *t, int row)
{
    if (t->room < 2) return -1;
    t->rows = malloc(t->room * sizeof *t->rows);
    if (t->rows == NULL) return -2;
    t->rows[1] = row;
    return t->rows[1] > 7;
}
"""
FILLS = ("165", "90", "0")


@pytest.mark.parametrize(("entry", "is_decided"), [("grow", True), ("push", False)])
def test_suites_hold_with_any_fill(tmp_path: Path, entry: str, is_decided: bool) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("no gcc here")
    (tmp_path / "unit.c").write_text(SOURCE)
    found = veer.test(
        tmp_path / "unit.c",
        entry,
        nonnull=["t"],
        max_runs=40,
        grow=False,
        no_check=["uninitialised"] if is_decided else [],
        out=tmp_path / "out",
    )
    assert any(test.replayed.startswith("differs") for test in found.tests) == is_decided
    folder = tmp_path / "out" / "suite"
    command = ["gcc", "-std=gnu11", "-Wall", "-Wextra", "-Werror", f"test_{entry}.c", "-o", "suite"]
    subprocess.run(command, cwd=folder, check=True)
    text = (folder / f"test_{entry}.c").read_text()
    assert is_decided or "rows[1]" in text
    for fill in FILLS:
        environment = {**os.environ, "GLIBC_TUNABLES": f"glibc.malloc.perturb={fill}"}
        ran = subprocess.run(["./suite"], cwd=folder, env=environment, capture_output=True, text=True)
        assert ran.returncode == 0, ran.stdout
