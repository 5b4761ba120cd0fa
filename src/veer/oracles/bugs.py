"""Reports of the runtime → bugs: one for each (outcome, site), however many paths lead there; the smallest is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from veer.execution.decode import Fault, model_outcome, read_fault, user_frames
from veer.model.outcome import Outcome
from veer.model.program import Program
from veer.model.result import Bug, Frame
from veer.wire import layout as wire
from veer.wire.layout import NONE
from veer.wire.shared import Shared

BUGS = [int(outcome) for outcome in wire.Outcome if model_outcome(outcome).is_bug]

_SAID_BY_THE_RUNTIME = (Outcome.DIVISION, Outcome.ILLEGAL)
"""The runtime's message says more exactly what the outcome's sentence says."""
_UBSAN = {  # the numbers of clang's SanitizerHandler, which -fsanitize-trap passes to llvm.ubsantrap
    0: "an integer addition overflowed",
    1: "code that the program says is unreachable was reached",
    3: "an integer was divided by zero, or the quotient overflowed",
    5: "a floating-point value does not fit the integer type",
    6: "a function was called through a pointer of another type",
    7: "a conversion changed the value",
    8: "a builtin was given a value that it is not defined for",
    10: "a bool or an enum holds a value that its type does not have",
    11: "a function that returns a value ended without one",
    12: "an integer multiplication overflowed",
    13: "an integer negation overflowed",
    14: "a null pointer was passed where none is allowed",
    15: "a null pointer was returned where none is allowed",
    16: "a null pointer was passed where none is allowed",
    17: "a null pointer was returned where none is allowed",
    18: "an array index is out of bounds",
    19: "pointer arithmetic overflowed",
    20: "a shift by too much, or of a value that it is not defined for",
    21: "an integer subtraction overflowed",
    22: "a null, misaligned or too small object was accessed",
    23: "a pointer is not aligned as the program says",
    24: "the length of an array is not positive",
}


@dataclass(frozen=True, slots=True)
class Suspect:
    """A fault with the path whose input is the smallest known witness; `count` witnesses were reported in all."""

    fault: Fault
    path: int
    count: int


def suspects(shared: Shared, program: Program) -> tuple[Suspect, ...]:
    """One suspect for each (outcome, user's site), in the order in which they were found."""
    groups: dict[tuple[Outcome, object], list[tuple[Fault, int]]] = {}
    paths = shared.published("paths")
    for index in range(shared.count("reports")):
        fault = read_fault(shared, program, index)
        path = int(shared.report(index)["path"])
        if fault is None or not fault.outcome.is_bug or path == NONE or path >= len(paths):
            continue
        groups.setdefault(identity(fault), []).append((fault, path))
    for fault, path in _without_report(shared, program):
        groups.setdefault(identity(fault), []).append((fault, path))
    found = []
    for faults in groups.values():
        _, path = min(faults, key=lambda item: (int(paths[item[1]]["input_length"]), item[1]))
        found.append(Suspect(faults[0][0], path, len(faults)))
    return tuple(found)


def reported(shared: Shared) -> int:
    """How many (outcome, site) the reports name so far: a cheap count for the progress display."""
    reports = shared.published("reports")
    bugs = reports[np.isin(reports["outcome"], BUGS)]
    return len(set(zip(bugs["outcome"].tolist(), bugs["site"].tolist(), strict=True)))


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
    """What makes two faults the same bug: the outcome and the place in the user's code (line and column)."""
    site = fault.site
    return fault.outcome, (site.file, site.line, site.column) if site is not None else fault.message


def bug(number: int, suspect: Suspect, *, test: str, confirmed: str) -> Bug:
    """The model's bug; `test` is the name of the test that shows it."""
    fault = suspect.fault
    site = fault.site
    return Bug(
        id=number,
        outcome=fault.outcome,
        file=site.file if site else "",
        line=site.line if site else 0,
        column=site.column if site else 0,
        function=site.function if site else "",
        message=sentence(fault),
        test=test,
        stack=fault.stack,
        confirmed=confirmed,
        run=fault.run,
        seconds=fault.seconds,
        count=suspect.count,
    )


def sentence(fault: Fault) -> str:
    """What the user reads: the outcome's sentence, and what the runtime knows beyond it."""
    if fault.outcome is Outcome.UNDEFINED:
        return _UBSAN.get(fault.kind, fault.outcome.sentence)
    if not fault.message or fault.message in fault.outcome.sentence:
        return fault.outcome.sentence
    if fault.outcome in _SAID_BY_THE_RUNTIME:
        return fault.message
    return f"{fault.outcome.sentence}: {fault.message}"
