"""What `veer compare` says on the terminal."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from veer.model.comparison import Comparison, Difference, Kind, Told
from veer.model.ending import Claim, Ending, EndingKind
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.result import Confirmation, Test
from veer.model.values import replace
from veer.report.comparison import claim, show

PROGRAM = Program("f", HarnessKind.FUNCTION, (), Path(), (), (), ())
TEST = Test("test_001", InputMap((), ()), Outcome.RETURNED, None, b"", (), "same", shown=(("x", "77"),))
DIFFERENCE = Difference(1, Kind.CHANGED, Told("what it returns", "77", "76"), TEST, Confirmation.PLAIN)
SPENT = Ending(EndingKind.EXHAUSTED, Claim.PATHS, ("max-length 8",), ())
EQUAL = Comparison("f", "old.c", "new.c", PROGRAM, SPENT, (), paths=4, runs=6, replayed=5, seconds=2.0)
CUT = Ending(EndingKind.BUDGET, Claim.NONE, (), ("3 open branches left",))


@pytest.mark.parametrize(
    ("found", "said"),
    [
        (EQUAL, "no difference on any path within max-length 8"),
        (replace(EQUAL, ending=CUT), "no difference found, which proves nothing: not every path was compared"),
        (replace(EQUAL, differences=(DIFFERENCE,)), "1 difference found"),
    ],
)
def test_the_claim_is_what_was_shown(found: Comparison, said: str) -> None:
    assert claim(found) == said


def test_a_difference_is_told_with_its_input() -> None:
    text = StringIO()
    found = replace(EQUAL, differences=(DIFFERENCE,), ending=CUT, failing=("f:3: abort() was called",))
    show(found, Console(file=text, width=80), [Path("out/compare.json")])
    lines = text.getvalue().splitlines()
    assert lines[0] == "f: 4 paths of both versions in 6 runs, 2.0 s"
    assert "changed   what it returns: 77 → 76" in lines and "            x = 77" in lines
    assert "not sure  3 open branches left" in lines and "written   out/compare.json" in lines
    assert all(len(line) <= 80 for line in lines)
