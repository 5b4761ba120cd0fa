"""Which of all paths' tests the criterion MC/DC needs: a smallest set found with the vectors that each of them shows.

paths ─► tests ─► replay: the vectors of each ─► tests that hold branches and pairs
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.findings.replaying import Judge, Vectors
from veer.findings.rerun import Recorded
from veer.findings.select import selected, selected_holding
from veer.model.decisions import NOT_EVALUATED, Decision, independence_pair
from veer.model.errors import ToolchainError
from veer.model.result import Bug, Test
from veer.model.values import replace

MOST_CANDIDATES = 1000
"""Paths whose vectors are looked at, those that a branch or a bug needs before others."""


def needed_for_pairs(found: Recorded, judge: Judge) -> Recorded:
    """The tests that hold all branches and pairs that all candidates hold.

    Where decisions cannot be measured, the tests that the branches need.
    """
    tests, note = _candidates(found.tests, found.bugs)
    notes = (*found.notes, *([note] if note else []))
    try:
        vectors = judge.vectors(tests)
    except ToolchainError:
        vectors = None
    if vectors is None:
        why = "MC/DC is not measured, so the tests are those that the branches need: the compiler marks no decisions"
        tests, bugs = selected(found.tests, found.bugs)
        return replace(found, tests=tests, bugs=bugs, notes=(*found.notes, why))
    tests, bugs = _holding(tests, found.bugs, vectors)
    return replace(found, tests=tests, bugs=bugs, notes=notes)


def _candidates(tests: Sequence[Test], bugs: Sequence[Bug]) -> tuple[tuple[Test, ...], str]:
    """At most MOST_CANDIDATES of the tests, in their order, and what is to be said when some are left out."""
    if len(tests) <= MOST_CANDIDATES:
        return tuple(tests), ""
    first, _ = selected(tests, bugs)
    paths = {test.path for test in first}
    paths |= {test.path for test in [test for test in tests if test.path not in paths][: MOST_CANDIDATES - len(paths)]}
    note = f"MC/DC was looked for in {MOST_CANDIDATES:,} of {len(tests):,} paths"
    return tuple(test for test in tests if test.path in paths), note


def _holding(tests: Sequence[Test], bugs: Sequence[Bug], vectors: Vectors) -> tuple[tuple[Test, ...], tuple[Bug, ...]]:
    marks = vectors.marks
    kinds: dict[frozenset[int], tuple[str, ...]] = {}

    def shown(names: frozenset[str]) -> tuple[str, ...]:
        union = frozenset(mark for name in names for mark in marks.get(name, ()))
        if union not in kinds:
            kinds[union] = tuple(kind for decision in vectors.decisions for kind in pair_kinds(decision, union))
        return kinds[union]

    wanted = shown(frozenset(test.name for test in tests))
    extra = {test.name: frozenset(marks.get(test.name, ())) for test in tests}
    return selected_holding(tests, bugs, extra, lambda names: shown(names) == wanted)


def pair_kinds(decision: Decision, marks: frozenset[int]) -> tuple[str, ...]:
    """For each condition, the criterion that these marks meet, or "", and the values that it took."""
    seen = [vector for index, vector in enumerate(decision.vectors) if decision.first + index in marks]
    shown = []
    for index in range(len(decision.conditions)):
        values = {vector.values[index] for vector in seen} - {NOT_EVALUATED}
        shown.append(" ".join([independence_pair(decision, seen, index)[0], *sorted(values)]))
    return tuple(shown)
