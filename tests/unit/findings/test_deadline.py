"""Steps that only make results better end with their deadline, whatever a run takes, and lose nothing: executors and a
clock that are scripted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

from veer.campaign import behind
from veer.campaign import run as campaign
from veer.execution.decode import Fault
from veer.findings import readable as values
from veer.findings.deadline import Deadline
from veer.findings.pairs import Pairs
from veer.findings.probes import Leaf, Probes
from veer.findings.probes import Path as RunPath
from veer.findings.readable import readable
from veer.findings.rerun import ALSO
from veer.findings.severity.assessor import OUT_OF_TIME, Assessment, Seen
from veer.findings.shrinking.bugs import BugShrinker
from veer.model.buildoptions import BuildOptions
from veer.model.inputs import InputMap
from veer.model.outcome import Outcome
from veer.model.result import Result
from veer.model.result import Test as Recorded
from veer.model.searchoptions import SearchOptions
from veer.model.severity import Broken, Judgement, Severity
from veer.oracles.bugs import Suspect
from veer.wire.layout import LeafKind

RUN = 0.065
"""Seconds of a run."""


@dataclass
class Clock:
    """It moves when something runs."""

    now: float = 100.0
    runs: int = 0

    def __call__(self) -> float:
        return self.now

    def probe(self, data: bytes, *, filler: int = 0) -> bool:
        self.now += RUN
        self.runs += 1
        return True


class OnePath(Probes):
    """Every input takes the same path."""

    named: list[Leaf] = msgspec.field(default_factory=lambda: [Leaf(0, 32, LeafKind.SIGNED, -(1 << 31), (1 << 31) - 1)])
    last: bytes = b""

    def _path(self, data: bytes) -> RunPath:
        self.last = data
        return RunPath(7, Outcome.RETURNED, 0)

    def leaves(self) -> Iterator[Leaf]:
        yield from self.named

    def trace(self) -> Any:
        return np.zeros(0, [("kind", int), ("site", int), ("literal", int), ("alternative", int)])

    def shown(self) -> object:
        return self.last


def probes(clock: Clock) -> Probes:
    tables = {"paths": np.zeros(1, [("hash", np.uint64)])}
    shared: Any = SimpleNamespace(input_of=lambda path: bytes(4), published=tables.__getitem__)
    executor, program = SimpleNamespace(probe=clock.probe), SimpleNamespace()
    return OnePath(shared, executor, program, set())


def returning(path: int) -> Recorded:
    return Recorded(f"test_{path:03d}", InputMap((), ()), Outcome.RETURNED, None, None, (), "", path=path)


def test_values_and_pairs_end_with_the_deadline_where_runs_take_long() -> None:
    tests, clock = [returning(path) for path in range(200)], Clock()
    found = readable(probes(clock), tests, deadline=Deadline(101.0, clock=clock))
    assert 101.0 < clock.now <= 101.0 + RUN and found.notes == (values.OUT_OF_TIME,)
    assert 0 < len(found.inputs) < len(tests) and set(found.inputs.values()) <= {bytes([n, 0, 0, 0]) for n in range(98)}
    own, busy = Clock(), Clock()
    readable(probes(own), tests, deadline=Deadline(pace=0.1, clock=own, work=own))
    assert own.now == pytest.approx(100.0 + 0.1 * values.MOST_SECONDS, abs=RUN)
    readable(probes(busy), tests, deadline=Deadline(pace=0.1, clock=busy, work=lambda: 0.0))
    assert busy.now > 100.0 + 0.2 * values.MOST_SECONDS, "who gets no processor has longer"
    later = Clock()
    nobody: Any = SimpleNamespace()
    pairs = Pairs(probes(later), nobody, nobody, frozenset([1]), deadline=Deadline(101.0, clock=later))
    kept = pairs.find([bytes([number]) for number in range(10)], (bytes(each) for each in range(5000)))
    assert [each.data for each in kept] == [bytes([number]) for number in range(10)]
    assert later.now <= 101.0 + RUN


def suspect(path: int) -> Suspect:
    fault = Fault(Outcome.ABORTED, None, (), "", path, 0.0, 0)
    return Suspect(fault, path, 30, tuple(range(1000 * path, 1000 * path + 30)))


def test_each_bug_is_judged_however_late_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """By its first witness where there is no time, which is said, else by the one that breaks the fewest contracts."""
    clock, suspects = Clock(), [suspect(path) for path in range(1, 6)]
    seen: list[int] = []

    def run(self: Assessment, raw: Any, of: Suspect) -> Any:
        clock.probe(b"")
        seen.append(raw)
        return Seen(of.fault, raw)

    def judgement(seen: Seen) -> Judgement:
        path: Any = seen.inputs
        broken = () if path % 1000 == 20 else (Broken("c", "s"),)
        return Judgement(Severity.CONTRACT if broken else Severity.ERROR, broken)

    monkeypatch.setattr(Assessment, "_seen", run)
    monkeypatch.setattr(Assessment, "_repaired", lambda self, best, is_late: best)
    monkeypatch.setattr(Assessment, "_indifferent", lambda self, best, is_late: best)
    shared: Any = SimpleNamespace(input_of=lambda path: path)
    assessor: Any = SimpleNamespace(judgement=judgement)
    late = Assessment(shared, clock, assessor, Deadline(99.0, clock=clock)).of(suspects)
    assert seen == [1, 2, 3, 4, 5] and late.notes == (OUT_OF_TIME,)
    assert {each.judgement.severity for each in late.suspects} == {Severity.CONTRACT}
    calm = Assessment(shared, clock, assessor, Deadline(pace=100.0, clock=clock)).of(suspects)
    assert {each.judgement.severity for each in calm.suspects} == {Severity.ERROR} and not calm.notes
    before = clock.runs
    shrinker = BugShrinker(shared, clock, assessor, Deadline(99.0, clock=clock))
    assert shrinker.of(late.suspects) == late.suspects and clock.runs == before


TEXT = """
#include <stdlib.h>
int f(int x, int y) {
    if (x % 17 == 5 && x > 4000) return 2;
    if (y > 77 && x + y == 9100) abort();
    return x > y ? 1 : 0;
}
"""


def explored(folder: Path) -> Result:
    (folder / "unit.c").write_text(TEXT)
    build = BuildOptions((folder / "unit.c",), "f", no_checks=("overflow",))
    return campaign.run(build, SearchOptions(budget=20.0))


def test_without_any_time_no_test_no_bug_and_no_claim_is_lost(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calm = explored(tmp_path)
    monkeypatch.setattr(behind, "FOR_BETTER", -10.0)
    late = explored(tmp_path)
    assert late.ending == calm.ending and late.coverage == calm.coverage and late.branches == calm.branches
    told = [[(bug.fingerprint, bug.confirmed, bug.judgement) for bug in each.bugs] for each in (calm, late)]
    assert told[0] == told[1] and len(told[1]) == 1
    ends = [sorted(test.outcome.key for test in each.tests if test.path != ALSO) for each in (calm, late)]
    assert ends[1] == ends[0] and all(test.replayed == "same" for test in late.tests)
    assert values.OUT_OF_TIME in late.program.notes and OUT_OF_TIME in late.program.notes
