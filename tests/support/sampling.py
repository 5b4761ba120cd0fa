"""What ./check runs of many cases, and what it leaves to `./check --long` (VEER_LONG=1)."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Collection, Iterable
from itertools import groupby
from pathlib import Path
from typing import TypeVar

ROOT = Path(__file__).resolve().parents[2]
SPREAD = (
    "tests/truth/",
    "tests/conformance/",
    "tests/quality/",
    "tests/framework/",
    "tests/unit/search/test_strategies_ranked.py",
    "tests/unit/smt/test_smt_evaluate.py",
    "tests/unit/runtime/engine/test_engine_ladder.py",
    "tests/unit/runtime/engine/test_engine_simplify.py",
)
"""The folders and files of whose cases `./check` runs a third (docs/decisions/0418, 0435)."""
SPREAD_WHOLE = ("tests/truth/", "tests/framework/")
"""The folders of whose other tests, those with few cases or none, it runs a third as well, as of all that are marked as
slow (docs/decisions/0529)."""
PARTS = 3
FEWEST = 3
"""A test with fewer cases keeps them together."""
IS_LONG = bool(os.environ.get("VEER_LONG"))
_Case = TypeVar("_Case")


def sampled(cases: Iterable[_Case], is_kept: Callable[[_Case], bool]) -> list[_Case]:
    """The cases that stand for all of them; all of them in a long check."""
    return [case for case in cases if IS_LONG or is_kept(case)]


def first(few: int, many: int) -> range:
    """So many seeds; in a long check the larger number."""
    return range(many if IS_LONG else few)


def turn() -> str:
    """Which part this commit has, "0", "1" or "2": the next has another one. VEER_PART says otherwise, or "all"."""
    chosen = os.environ.get("VEER_PART", "")
    if chosen in ("all", *map(str, range(PARTS))):
        return chosen
    try:
        said = subprocess.run(("git", "-C", str(ROOT), "rev-list", "--count", "HEAD"), capture_output=True, text=True)
    except OSError:
        return "0"
    return str(int(said.stdout) % PARTS) if said.returncode == 0 else "0"


def part(identifiers: Collection[str], which: int, slow: Collection[str] = ()) -> set[str]:
    """Those of the tests' identifiers (`tests/truth/test_a.py::test_f[case]`) that are in this part, 0 to PARTS - 1.

    Of the cases of one test in SPREAD each third one, if there are FEWEST or more; of the other tests in SPREAD_WHOLE
    each third one with all of its cases. Those that are `slow` are spread wherever they are. All others stay.
    """
    kept = {each for each in identifiers if not each.startswith(SPREAD) and each not in slow}
    whole: list[list[str]] = []
    spread = [each for each in identifiers if each not in kept]
    for _, group in groupby(sorted(spread, key=_test_of), key=_test_of):
        cases = list(group)
        if len(cases) >= FEWEST:
            kept.update(cases[which::PARTS])
        elif cases[0].startswith(SPREAD_WHOLE) or cases[0] in slow:
            whole.append(cases)
        else:
            kept.update(cases)
    return kept.union(*whole[which::PARTS])


def _test_of(identifier: str) -> str:
    return identifier.split("[", 1)[0]
