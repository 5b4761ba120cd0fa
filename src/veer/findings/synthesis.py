"""Test synthesis: kept paths are run again in fresh processes, with values that read better, and as tests in pairs.

suspects ─► judged, shrunk ─┐
paths of the tree ──────────┴► run again ─► what the criterion needs ─► better values, pairs ─► recorded ─► tests, bugs
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct, field

from veer.execution.executor import PersistentExecutor
from veer.findings.calculated import calculated
from veer.findings.completed import completed
from veer.findings.deadline import NEVER, Deadline
from veer.findings.mcdc import needed_for_pairs
from veer.findings.ordering import in_order, repeated
from veer.findings.pairs import Kept, Pairs
from veer.findings.passing import PASS, passing_paths
from veer.findings.pointed import pointed
from veer.findings.probes import Probes, unheard
from veer.findings.readable import readable
from veer.findings.replaying import Judge
from veer.findings.rerun import Recorded, more_tests, record_tests, with_inputs
from veer.findings.select import Items, selected
from veer.findings.severity.assessor import Assessed, Assessment, Assessor
from veer.findings.shrinking.bugs import BugShrinker
from veer.findings.shrinking.tests import TestShrinker
from veer.findings.telling import further
from veer.findings.unwritten import unwritten_outputs
from veer.model.callresult import ending
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Test
from veer.model.searchoptions import ALL_PATHS
from veer.model.sequence import call_orders
from veer.model.severity import NO_CHECKS, CheckedFor
from veer.model.sought import NOWHERE, Sought
from veer.model.values import replace
from veer.oracles.bugs import Suspect, identity, suspects
from veer.search.selection import kept_paths, some_paths
from veer.smt.arena import Arena
from veer.smt.protocol import Solver
from veer.wire.shared import Shared

_FOR_BUGS = 0.8  # of the time for shrinking
_FOR_VALUES = 0.5  # of what is left until the deadline: the rest is for pairs
_RUNS_OF_A_TEST = 2  # with its last input, and of its partner
_MOST_FORMS = 3  # of what a branch asks about that a pair is looked for, where the criterion wants more than branches


def _never() -> bool:
    """No signal ends the step that makes tests of what was found: else it would be lost."""
    return False


class Synthesis(Struct, frozen=True):
    """Makes tests and bugs of what a search left in `shared`.

    `executor` starts a fresh process, which the caller of it closes; `solver` makes one for what is asked after the
    search. Tests in pairs are looked for where conditions are over inputs, not over the slots of summaries.
    `shrinking_seconds`: how long inputs may be made smaller, most of it those of bugs. `traps`: what the compiler's
    checks find, by number; `checked_for`: what some of them are about; `sought`: the only bugs that are told of, with
    no other tests. `deadline`: when all ends that only makes tests and bugs better; `for_calls`: seconds by which that
    is too late for the search for calls behind it; `seconds_of_a_hang`: those of its replay; `most_hangs`: places at
    which runs used up their steps that are looked at again, the first that were met: of others nobody knows.
    """

    shared: Shared
    program: Program
    criterion: str
    executor: Callable[[], PersistentExecutor]
    judge: Judge
    solver: Callable[[], Solver]
    finds_pairs: bool = True
    shrinking_seconds: float = 0.0
    traps: Mapping[int, str] = field(default_factory=dict)
    checked_for: CheckedFor = NO_CHECKS
    deadline: Deadline = NEVER
    for_calls: Callable[[Recorded], float] = lambda found: 0.0
    seconds_of_a_hang: float = 0.0
    most_hangs: int = sys.maxsize
    sought: tuple[Sought, ...] = ()

    def tests_and_bugs(self) -> Recorded:
        """Tests that the criterion needs, with better values, and their partners; bugs as a fresh process saw them."""
        if self.sought:
            return self._sought()
        shared, program, stopped = self.shared, self.program, self.judge.is_stopped
        found, candidates, seconds = self._recorded()
        must = self.for_calls(found) + seconds * _RUNS_OF_A_TEST * len(found.tests)
        deadline = self._before_hangs(test.outcome for test in found.tests).earlier(must)
        known: set[object] = {identity(suspect.fault) for suspect in candidates}
        with contextlib.closing(self.executor()) as fresh:
            probes = Probes(shared, fresh, program, known)
            with unheard(shared):
                shrinking = deadline.working((1 - _FOR_BUGS) * self.shrinking_seconds)
                small = TestShrinker(probes, shrinking).of(found.tests, stopped)
                values = deadline.part(_FOR_VALUES) if self.finds_pairs else deadline
                better = readable(probes, found.tests, stopped, values, small)
                inputs = {test.path: better.inputs.get(test.path, shared.input_of(test.path)) for test in found.tests}
                may_move = (
                    self.finds_pairs and self.criterion == "branch"
                )  # its path is another one: of the pointer, too
                inputs = pointed(probes, inputs, stopped, deadline) if may_move else inputs
                kept = self._pairs(probes, tuple(inputs.values()), deadline)
                more = [each.data for each in kept[len(inputs) :]]
                if self.criterion == "branch" and self.finds_pairs:
                    more += further(probes, [*(each.data for each in kept)], self.judge.is_stopped, deadline)
                    more += self._calculated(probes, [*(each.data for each in kept), *more], deadline)
            for raw in probes.faults:
                fresh.run(raw)  # into the tree: what was seen on the way is told, too
        if probes.faults:
            found, _, _ = self._recorded(candidates)
        inputs |= {path: each.data for path, each in zip(inputs, kept, strict=False)}
        with contextlib.closing(self.executor()) as fresh:
            moved = {path: data for path, data in inputs.items() if data != shared.input_of(path)}
            tests = with_inputs(shared, fresh, program, found.tests, moved)
            told = [(test, found.trails[test.path]) for test in tests]
            told += more_tests(shared, fresh, program, tests, more)
        tests, bugs = in_order(program, told, found.bugs)
        notes = (*found.notes, *better.notes, *unwritten_outputs(program, tests))
        return replace(found, tests=tests, bugs=bugs, notes=notes)

    def _before_hangs(self, outcomes: Iterable[Outcome]) -> Deadline:
        """The deadline, with time behind it for replays of those that hang."""
        return self.deadline.earlier(self.seconds_of_a_hang * sum(each is Outcome.HANG for each in outcomes))

    def _sought(self) -> Recorded:
        """The bugs that are sought, each with the test that shows it."""
        candidates = self._candidates(())
        paths = sorted({each.path for each in candidates.suspects})
        if not paths:
            return Recorded((), ())
        with contextlib.closing(self.executor()) as fresh:
            return record_tests(self.shared, fresh, self.program, paths, candidates.suspects, _never, self.traps)

    def _pairs(self, probes: Probes, tests: Sequence[bytes], deadline: Deadline) -> tuple[Kept, ...]:
        """The inputs of the tests, in their order, and of those that show what they do not."""
        shared, criterion = self.shared, self.criterion
        if not self.finds_pairs:
            return ()
        sites = frozenset(site.id for site in self.program.sites if max(site.items) >= 0)
        forms = _MOST_FORMS if criterion in ALL_PATHS else 1
        arena, stopped = Arena.of(shared), self.judge.is_stopped
        pairs = Pairs(probes, self.solver(), arena, sites, forms, criterion != "path", stopped, deadline)
        return pairs.find(tests, map(shared.input_of, some_paths(shared)))

    def _calculated(self, probes: Probes, tests: Sequence[bytes], deadline: Deadline) -> tuple[bytes, ...]:
        """More inputs of machine code, where branches of its source may be calculations."""
        if self.program.flow is None:
            return ()
        return calculated(probes, self.solver(), Arena.of(self.shared), tests, self.judge.is_stopped, deadline)

    def _recorded(self, judged: Sequence[Suspect] = ()) -> tuple[Recorded, tuple[Suspect, ...], float]:
        """The tests that the criterion needs, the bugs, and their suspects, of which `judged` are ready; and how many
        seconds the run of a test took."""
        shared, program, criterion = self.shared, self.program, self.criterion
        candidates, notes = self._candidates(judged)
        late = {each.path for each in _hangs(candidates)[self.most_hangs :]}
        kept = [path for path in kept_paths(shared, candidates, all_paths=criterion in ALL_PATHS) if path not in late]
        began = self.deadline.clock()
        with contextlib.closing(self.executor()) as fresh:
            found = record_tests(shared, fresh, program, kept, candidates, _never, self.traps)
            seconds = (self.deadline.clock() - began) / max(1, len(kept))
            passing = self._passing(fresh, found)
        if passing:
            with contextlib.closing(self.executor()) as fresh:
                paths = sorted({*kept, *passing})
                found = record_tests(shared, fresh, program, paths, candidates, _never, self.traps)
        found = replace(found, tests=completed(found.tests, program))
        if criterion == "mcdc":
            found = needed_for_pairs(found, self.judge)
        elif criterion != "path":
            rounds = {
                test.name: repeated(found.trails[test.path], program) for test in found.tests if test.outcome in PASS
            }
            shown: dict[str, Items] = {
                test.name: frozenset([*call_orders(program.sequence, test.inputs.calls), *_ending(program, test)])
                for test in found.tests
            }
            tests, bugs = selected(found.tests, found.bugs, rounds, shown)
            found = replace(found, tests=tests, bugs=bugs)
        return replace(found, notes=(*notes, *found.notes)), candidates, seconds

    def _passing(self, fresh: PersistentExecutor, found: Recorded) -> tuple[int, ...]:
        """Paths that pass, and say more than those of these tests (passing.py)."""
        if self.criterion != "branch":
            return ()
        shared, paths = self.shared, some_paths(self.shared)
        with unheard(shared):
            return passing_paths(shared, fresh, self.program, found, paths, self.deadline, self.judge.is_stopped)

    def _candidates(self, judged: Sequence[Suspect]) -> Assessed:
        """The suspects with the witness that breaks the fewest contracts, shrunk; `judged` are so already."""
        shared, stopped = self.shared, self.judge.is_stopped
        ready = {_first_seen(each): each for each in judged}
        found = suspects(shared, self.program)
        if self.sought:
            found = tuple(each for each in found if _as_sought(each) in self.sought)
        late = {_first_seen(each) for each in _hangs(found)[self.most_hangs :]}
        new = [each for each in found if _first_seen(each) not in {*ready, *late}]
        notes: tuple[str, ...] = ()
        if new:
            with contextlib.closing(self.executor()) as fresh, unheard(shared):
                assessor = Assessor(self.program, self.checked_for)
                deadline = self._before_hangs(each.fault.outcome for each in found)
                better, notes = Assessment(shared, fresh, assessor, deadline).of(new, stopped)
                shrinking = deadline.working(_FOR_BUGS * self.shrinking_seconds)
                better = BugShrinker(shared, fresh, assessor, shrinking).of(better, stopped)
            ready |= {_first_seen(before): after for before, after in zip(new, better, strict=True)}
        judged_or_late = (ready.get(_first_seen(each), each) for each in found)
        counted = zip(judged_or_late, found, strict=True)
        return Assessed(tuple(replace(one, count=each.count) for one, each in counted), notes)


def _ending(program: Program, test: Test) -> Iterator[tuple[str, int, str]]:
    """How a test that passes ends, as an item that tests are kept for."""
    found = ending(program, test.returned) if test.outcome in PASS else None
    if found is not None:
        yield ("ends", *found)


def _hangs(suspects: Sequence[Suspect]) -> list[Suspect]:
    """Those that used up their steps, in the order in which they were met."""
    return [each for each in suspects if each.fault.outcome is Outcome.HANG]


def _as_sought(suspect: Suspect) -> Sought:
    site = suspect.fault.site
    return Sought(suspect.fault.outcome.key, site.function, site.line) if site is not None else NOWHERE


def _first_seen(suspect: Suspect) -> tuple[object, int]:
    """What tells suspects apart whose witnesses may have changed: of one place there may be two hangs, in two loops."""
    return identity(suspect.fault), suspect.fault.run
