"""How the time behind a search is shared, and what no time is spent on."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any, ClassVar

import pytest

from veer.campaign import reach
from veer.campaign.behind import behind
from veer.campaign.written import WrittenTests
from veer.execution.replay import ReplayLimits, Seen
from veer.findings.rerun import Recorded
from veer.frontends.llvm.replay.data import Ran, State
from veer.frontends.llvm.replay.process import Driver, Ended
from veer.frontends.llvm.replay.replayer import _Rounds, as_it_is
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.program import HarnessKind, Program
from veer.model.result import Seconds
from veer.model.result import Test as RecordedTest
from veer.model.searchoptions import SearchOptions
from veer.model.sought import NOWHERE
from veer.model.values import replace

PROGRAM = Program("f", HarnessKind.FUNCTION, sources=(), executable=Path(), functions=(), types=(), sites=())


def a_test(name: str, outcome: Outcome) -> RecordedTest:
    return RecordedTest(name, InputMap((), ()), outcome, None, None, (), "same")


@pytest.mark.parametrize("budget", [1.0, 10.0, 60.0, 600.0])
def test_time_is_kept_back_for_what_must_be_done(budget: float) -> None:
    search, allowed = SearchOptions(budget=budget), 5.0 + 0.2 * budget
    found = Recorded((a_test("two", Outcome.RETURNED),), ())
    early = behind(search, 0.0, clock=lambda: budget / 2)
    late = behind(search, 0.0, lambda _: True, clock=lambda: budget + 3.0)
    assert early.since == budget / 2 and late.since == budget  # a search that took too long has taken it from here
    assert early.better.end == early.since + 0.65 * allowed < early.explained.end < early.since + allowed
    assert early.hang == 0.625  # two at once, each a second, and a quarter of one where it is counted
    assert early.for_calls(found) == 0.0 and late.for_calls(found) == 0.25 * allowed
    # What the search for calls is left: as much again for its bugs, all within what the command may take.
    spent = Seconds(total=7.0 + budget + 0.6 * allowed, compile=7.0)
    calls = reach._shortly(search, (), spent)
    left = 0.4 * allowed - 0.8
    assert calls.budget == pytest.approx(max(1.0, min(30.0, budget / 2, 0.6 * left)))
    assert calls.budget + calls.seconds_behind == pytest.approx(max(calls.budget + 1.0, left))
    sought = behind(replace(calls, sought=(NOWHERE,)), 0.0)
    assert sought.pace == 1.0 and sought.hang == 0.0  # their witnesses have all of it


class Native(Driver):
    """Each test of it hangs."""

    waited: ClassVar[list[float]] = []  # by all of them

    def run(self, data: bytes, home: Path) -> Ended:
        self.waited.append(self.limits.most)
        return Ended(Seen(9, 0, "", True, "", "", None), Ran(State.BEGUN))


def test_a_hang_is_waited_for_once(tmp_path: Path) -> None:
    """It is a quarter as long counted as it is looked at, and the written suite does not run it at all."""
    Native.waited.clear()
    drivers = [Native(Path("driver"), ReplayLimits(Path("launcher"), seconds=seconds)) for seconds in (2.0, 2.0)]
    rounds = _Rounds(PROGRAM, drivers[0], drivers[1], None, as_it_is)
    hang = a_test("hang", Outcome.HANG)
    assert str(rounds.replay(hang, tmp_path / "1").verdict) == "same" and Native.waited == [2.0, 0.5]
    asked: list[str] = []

    def replay(tests: Any, is_stopped: Any) -> tuple[()]:
        asked.extend(test.name for test in tests)
        return ()

    renderer: Any = SimpleNamespace(
        file_name=lambda program: "t.c", commands=lambda program: (), beside=lambda program: {}, render=lambda *all: ""
    )
    suite = WrittenTests(PROGRAM, renderer, lambda *all: SimpleNamespace(replay=replay), lambda: False)
    look = suite.verdicts([hang, a_test("fine", Outcome.RETURNED), a_test("crash", Outcome.SEGFAULT_NULL)])
    assert asked == ["fine"] and not look.notes
