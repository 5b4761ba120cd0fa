"""A run that used up its steps is a bug where the plain build hangs, too, and only there: verdicts made by hand, and a
campaign for what cannot be replayed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

import veer
from veer.findings.replaying import Judge, Replayed, replayed
from veer.findings.rerun import Recorded
from veer.frontends.protocol import Measurable
from veer.model.errors import ToolchainError
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.replay import SAME, STOPPED, Proof, Replay, Want, differs, not_replayed
from veer.model.result import Bug, Confirmation
from veer.model.result import Test as RecordedTest
from veer.model.values import replace

PROGRAM = Program("f", HarnessKind.FUNCTION, sources=(), executable=Path(), functions=(), types=(), sites=())


@dataclass(frozen=True)
class Fixed:
    """A replayer whose answers are given; None: what tests run in cannot be built."""

    answers: Sequence[Replay] | None

    def replay(
        self, tests: Sequence[RecordedTest], is_stopped: Callable[[], bool] = lambda: False, want: Want = Want.ALL
    ) -> tuple[Replay, ...]:
        if self.answers is None:
            raise ToolchainError("no compiler")
        return tuple(self.answers)

    def measurable(self, want: Want = Want.ALL) -> Measurable:
        return Measurable()


def a_test(name: str, outcome: Outcome) -> RecordedTest:
    return RecordedTest(name, InputMap((), ()), outcome, None, None, (), "")


def a_bug(test: str, confirmed: Confirmation = Confirmation.CHECKED, outcome: Outcome = Outcome.HANG) -> Bug:
    return Bug(1, outcome, "/src/f.c", 7, 3, "f", "it hangs", test, (), confirmed, 0, 0.0)


def judged(tests: Sequence[RecordedTest], bugs: Sequence[Bug], answers: Sequence[Replay] | None) -> Replayed:
    return replayed(Recorded(tuple(tests), tuple(bugs)), Judge(PROGRAM, Fixed(answers), lambda: False))


HANGS, RETURNS = a_test("test_001", Outcome.HANG), a_test("test_002", Outcome.RETURNED)
ENDED = Replay("test_001", differs("returned as expected"), proof=Proof.REFUTED)
FINE = Replay("test_002", SAME)


def test_what_hangs_on_the_plain_build_is_a_bug() -> None:
    seen = Replay("test_001", SAME, Outcome.HANG, proof=Proof.CONFIRMED)
    found = judged([HANGS, RETURNS], [a_bug("test_001")], [seen, FINE])
    assert [bug.confirmed for bug in found.bugs] == [Confirmation.PLAIN]
    assert [test.name for test in found.tests] == ["test_001", "test_002"] and not found.notes


def test_what_ends_there_is_cut_and_the_bound_says_so() -> None:
    found = judged([HANGS, RETURNS], [a_bug("test_001")], [ENDED, FINE])
    assert (found.bugs, [test.name for test in found.tests], found.notes) == ((), ["test_002"], ())


@pytest.mark.parametrize(
    ("test", "answers", "why"),
    [
        (HANGS, [Replay("test_001", not_replayed("its stub cannot be made")), FINE], "its stub cannot be made"),
        (HANGS, [Replay("test_001", STOPPED), FINE], "stopped"),
        (HANGS, [Replay("test_001", STOPPED), Replay("test_002", STOPPED)], "stopped"),
        (HANGS, None, "no compiler"),
        (HANGS, [Replay("test_001", differs("returned")), FINE], "returned"),
        (replace(HANGS, outcome=Outcome.RETURNED), [Replay("test_001", SAME), FINE], "ended otherwise"),
        (replace(HANGS, name="test_003"), [Replay("test_003", STOPPED), FINE], "not run again"),
    ],
)
def test_what_nobody_saw_hang_is_no_bug_but_a_note(
    test: RecordedTest, answers: Sequence[Replay] | None, why: str
) -> None:
    found = judged([test, RETURNS], [a_bug("test_001", Confirmation.NO)], answers)
    assert found.bugs == () and all(each.outcome is not Outcome.HANG for each in found.tests)
    assert (
        len(found.notes) == 1
        and found.notes[0].startswith("f.c:7 f: a run used up its steps")
        and why in found.notes[0]
    )


def test_another_bug_that_was_seen_there_confirms_no_hang() -> None:
    crashes = replace(HANGS, outcome=Outcome.ABORTED)
    seen = Replay("test_001", SAME, Outcome.ABORTED, proof=Proof.CONFIRMED)
    aborts = a_bug("test_001", outcome=Outcome.ABORTED)
    found = judged([crashes], [a_bug("test_001", Confirmation.NO), aborts], [seen])
    assert [(bug.outcome, bug.confirmed) for bug in found.bugs] == [(Outcome.ABORTED, Confirmation.PLAIN)]
    assert "abort() was called" in found.notes[0]


UNMADE = """
typedef float four __attribute__((vector_size(16)));
four get(int);
int f(int n) { four a = get(n); if (n == 7) for (;;) ; return 3; }
int g(int n) { if (n == 7) for (;;) ; return 3; }
"""


@pytest.mark.slow
@pytest.mark.parametrize(("entry", "bugs"), [("f", []), ("g", [Outcome.HANG])])
def test_a_campaign_whose_hang_cannot_be_replayed_has_no_bug(tmp_path: Path, entry: str, bugs: list[Outcome]) -> None:
    """What get() returns cannot be made: a test of f is never run on the plain build. One of g is."""
    file = tmp_path / "unit.c"
    file.write_text(UNMADE)
    result = veer.test(file, entry=entry, budget="3s", grow=False, max_steps=50_000)
    assert [bug.outcome for bug in result.bugs] == bugs
    assert any("used up its steps" in note for note in result.program.notes) is not bool(bugs)
    assert "max-steps 50000" in result.ending.within
