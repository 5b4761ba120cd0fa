"""What ./check runs of many cases, and what it leaves to `./check --long` (VEER_LONG=1)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Collection, Iterable
from itertools import groupby
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
HALVED = (
    "tests/truth/",
    "tests/conformance/",
    "tests/quality/",
    "tests/framework/",
    "tests/unit/search/test_strategies_ranked.py",
    "tests/unit/smt/test_smt_evaluate.py",
    "tests/unit/runtime/engine/test_engine_ladder.py",
    "tests/unit/runtime/engine/test_engine_simplify.py",
)
"""The folders and files of whose cases `./check` runs half (docs/decisions/0418)."""
FEWEST = 3
"""A test with fewer cases keeps them all."""
IS_LONG = bool(os.environ.get("VEER_LONG"))
_Case = TypeVar("_Case")


def sampled(cases: Iterable[_Case], is_kept: Callable[[_Case], bool]) -> list[_Case]:
    """The cases that stand for all of them; all of them in a long check."""
    return [case for case in cases if IS_LONG or is_kept(case)]


def first(few: int, many: int) -> range:
    """So many seeds; in a long check the larger number."""
    return range(many if IS_LONG else few)


def turn() -> str:
    """Which half this commit has, "0" or "1": the next has the other. VEER_HALF says otherwise; "all" is no half."""
    chosen = os.environ.get("VEER_HALF", "")
    if chosen in ("0", "1", "all"):
        return chosen
    try:
        said = subprocess.run(("git", "-C", str(ROOT), "rev-list", "--count", "HEAD"), capture_output=True, text=True)
    except OSError:
        return "0"
    return str(int(said.stdout) % 2) if said.returncode == 0 else "0"


def half(identifiers: Collection[str], which: int) -> set[str]:
    """Those of the tests' identifiers (`tests/truth/test_a.py::test_f[case]`) that are in this half, 0 or 1.

    Of the cases of one test in HALVED each second one, if there are FEWEST or more; all others stay.
    """
    halved = [each for each in identifiers if "[" in each and each.startswith(HALVED)]
    kept = set(identifiers) - set(halved)
    for _, group in groupby(sorted(halved, key=_test_of), key=_test_of):
        cases = list(group)
        kept.update(cases[which::2] if len(cases) >= FEWEST else cases)
    return kept


def _test_of(identifier: str) -> str:
    return identifier.split("[", 1)[0]
