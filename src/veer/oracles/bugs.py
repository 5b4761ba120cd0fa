"""Reports of the runtime → bugs: one for each (outcome, site), however many paths lead there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt
from msgspec import Struct

from veer.execution.decode import Fault, fault_of, model_outcome, read_fault, user_frames
from veer.model.outcome import Outcome
from veer.model.program import Function, Program, Site
from veer.model.result import Bug, Confirmation, Frame
from veer.model.severity import NOT_TO_BLAME, Judgement
from veer.model.values import replace
from veer.oracles.hangs import LoopFinder
from veer.wire import layout as wire
from veer.wire.layout import NONE
from veer.wire.shared import Shared

BUGS = [int(outcome) for outcome in wire.Outcome if model_outcome(outcome).is_bug]
_CERTAIN = [outcome for outcome in BUGS if not model_outcome(wire.Outcome(outcome)).needs_replay]

_SMALLEST, _OVER_ALL = 8, 24
"""Witnesses of one bug that are kept as candidates."""

_SAID_BY_THE_RUNTIME = (Outcome.DIVISION, Outcome.ILLEGAL)
"""The runtime's message says more exactly what the outcome's sentence says."""


class Suspect(Struct, frozen=True):
    """A fault with the path whose input is its witness: of the known ones that with the shortest form (what is shown is
    shrunk from it, `findings/shrinking`); `count` were reported in all.

    `others`: paths that show it, too, the shortest first, some of them if there are many; `judgement`: of the witness.
    """

    fault: Fault
    path: int
    count: int
    others: tuple[int, ...] = ()
    judgement: Judgement = NOT_TO_BLAME


def suspects(shared: Shared, program: Program) -> tuple[Suspect, ...]:
    """One suspect for each (outcome, user's site), in the order in which they were found; of hangs, for each loop."""
    groups: dict[tuple[Outcome, object], list[tuple[Fault, int]]] = {}
    reports: dict[tuple[Outcome, object], list[int]] = {}
    loops = LoopFinder(program.functions)
    paths = shared.published("paths")
    for index in range(shared.count("reports")):
        fault = read_fault(shared, program, index)
        path = int(shared.report(index)["path"])
        if fault is None or not fault.outcome.is_bug or path == NONE or path >= len(paths):
            continue
        loop = loops.around(fault.sites) if fault.outcome is Outcome.HANG else None
        known = (fault.outcome, loop) if loop else identity(fault)
        groups.setdefault(known, []).append((fault, path))
        reports.setdefault(known, []).append(index)
    for fault, path in _without_report(shared, program):
        groups.setdefault(identity(fault), []).append((fault, path))
    found = []
    for known, faults in groups.items():
        fault, path = min(faults, key=lambda item: (int(paths[item[1]]["input_length"]), item[1]))
        # Most paths that show a known bug have no report of their own, but name that of its best witness.
        same = np.flatnonzero(np.isin(paths["report"], reports.get(known, [])))
        others = same[np.argsort(paths["input_length"][same], kind="stable")].tolist()
        first = fault if fault.outcome is Outcome.HANG else faults[0][0]
        found.append(Suspect(first, path, len(faults), _some(others)))
    return tuple(found)


class KnownBugs:
    """The bugs that the reports of a running search name, told apart as the result tells them apart.

    Hangs are left out: whether such a run would end, the plain build says later.
    """

    def __init__(self, sites: Sequence[Site]) -> None:
        self._sites = sites
        self._read = 0  # reports of the shared memory
        self._known: set[tuple[Outcome, object]] = set()

    def __len__(self) -> int:
        return len(self._known)

    def read(self, shared: Shared) -> None:
        """Learns what was published since the last time."""
        count = shared.count("reports")
        if count != self._read:
            self.add(shared.published("reports")[self._read if count > self._read else 0 :])
            self._read = count

    def add(self, reports: npt.NDArray[np.void]) -> None:
        """Learns these; what is known already counts once."""
        for record in reports[np.isin(reports["outcome"], _CERTAIN)]:
            self._known.add(identity(fault_of(record, self._sites)))


def _some(known: Sequence[int]) -> tuple[int, ...]:
    """A few of the smallest, and others over all sizes."""
    rest = known[_SMALLEST:]
    return (*known[:_SMALLEST], *rest[:: max(1, -(-len(rest) // _OVER_ALL))])


def _without_report(shared: Shared, program: Program) -> Iterator[tuple[Fault, int]]:
    """Runs that ended as a bug without a report: their process died. The last decision says where, roughly."""
    paths = shared.published("paths")
    silent = np.flatnonzero((paths["report"] == NONE) & np.isin(paths["outcome"], BUGS))
    for path in silent.tolist():
        node = int(paths[path]["node"])
        sites = shared.tree("site")
        last = [int(sites[node])] if node < len(sites) else []
        frames = user_frames(last, program.sites)
        yield (
            Fault(
                outcome=model_outcome(int(paths[path]["outcome"])),
                site=frames[0] if frames else None,
                stack=tuple(Frame(site.function, site.file, site.line) for site in frames),
                message="",
                run=path,
                seconds=0.0,
                kind=0,
            ),
            path,
        )


def identity(fault: Fault) -> tuple[Outcome, object]:
    """What makes two faults the same bug: the outcome and the place in the user's code (line and column), of
    specifications which one it is, of what ends a call of the user's within Java's runtime which exception it is."""
    site = fault.site
    kind = fault.kind if fault.is_below and fault.outcome is Outcome.UNDEFINED else 0
    place = (site.file, site.line, site.column, kind) if site is not None else fault.message
    return fault.outcome, (place, fault.message) if fault.outcome is Outcome.VIOLATED else place


def bug(
    number: int,
    suspect: Suspect,
    traps: Mapping[int, str],
    *,
    test: str,
    confirmed: Confirmation,
    entry: Function | None = None,
) -> Bug:
    """The model's bug; `test` is the name of the test that shows it, `traps` what the compiler's checks find. What is
    asked when `entry` has returned is told of at its head."""
    fault = suspect.fault
    site = fault.site
    if site is None and fault.outcome is Outcome.VIOLATED and entry is not None:
        found = bug(number, suspect, traps, test=test, confirmed=confirmed)
        return replace(found, function=entry.name, file=entry.file, line=entry.line)
    return Bug(
        id=number,
        outcome=fault.outcome,
        file=site.file if site else "",
        line=site.line if site else 0,
        column=site.column if site else 0,
        function=site.function if site else "",
        message=sentence(fault, traps),
        test=test,
        stack=fault.stack,
        confirmed=confirmed,
        run=fault.run,
        seconds=fault.seconds,
        count=suspect.count,
        judgement=suspect.judgement,
    )


def sentence(fault: Fault, traps: Mapping[int, str]) -> str:
    """What the user reads: the outcome's sentence, and what the runtime knows beyond it."""
    if fault.outcome is Outcome.UNDEFINED:
        return traps.get(fault.kind, fault.outcome.sentence)
    if not fault.message or fault.message in fault.outcome.sentence:
        return fault.outcome.sentence
    if fault.outcome in _SAID_BY_THE_RUNTIME:
        return fault.message
    return f"{fault.outcome.sentence}: {fault.message}"
