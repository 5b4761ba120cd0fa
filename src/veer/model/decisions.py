"""Decisions of the source, their conditions, and MC/DC: which pairs of tests show that a condition matters by itself.

A decision is a boolean expression of conditions joined by && and ||, or a single condition that controls an `if`, loop
or ?:. What one evaluation of it saw is a *vector*, a letter a condition in the order of the source:

    a && (b || c)      "F--"  a false, the others not evaluated: outcome false
                       "TFT"  a true, b false, c true:           outcome true

C's operators evaluate no more than they need, so a vector is a path through the decision, and there are few of them.

A pair of vectors shows the independent effect of a condition (Chilenski & Miller 1994; Chilenski, DOT/FAA/AR-01/18):

    unique-cause   the outcomes differ, and of the conditions that both evaluated only this one does
    masking        the condition differs, each vector's outcome would change with it, others may differ, too
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import product

from msgspec import Struct

UNIQUE_CAUSE = "unique-cause"
MASKING = "masking"
TRUE, FALSE, NOT_EVALUATED = "T", "F", "-"


class Vector(Struct, frozen=True):
    """One way to evaluate a decision: a letter a condition, and what came out."""

    values: str
    outcome: bool


class Decision(Struct, frozen=True):
    """A decision as the conditions build numbers it: vector k has the mark `first` + k.

    `fixed`: for each condition the only value that it can have ("T" of the constant 1), or "-". `unmeasured` says why
    nothing is known of the decision; then there are no vectors. `is_branched`: each condition is a branch of the tree,
    as those of an if or ?: are; the last one of a loop or of a value that is stored is none, and paths do not tell its
    values apart.
    """

    file: str
    line: int
    column: int
    function: str
    text: str
    conditions: tuple[str, ...]
    vectors: tuple[Vector, ...] = ()
    fixed: str = ""
    first: int = 0
    unmeasured: str = ""
    is_branched: bool = False

    @property
    def possible(self) -> tuple[Vector, ...]:
        """The vectors that no constant rules out."""
        return tuple(vector for vector in self.vectors if self._is_possible(vector))

    def _is_possible(self, vector: Vector) -> bool:
        pairs = zip(vector.values, self.fixed, strict=True)
        return all(NOT_EVALUATED in pair or pair[0] == pair[1] for pair in pairs)


class SeenVector(Struct, frozen=True):
    """A vector that tests showed; `tests`: their names, in order."""

    vector: Vector
    tests: tuple[str, ...]


class ConditionCoverage(Struct, frozen=True):
    """A condition: the values that it took, and the pair that shows its independent effect.

    `possible`: the values that it can take at all ("T" of a condition that is the constant 1). `kind`: unique-cause,
    masking, or empty when there is no pair; `pair` and `tests`: the vectors, and a test that shows each.
    """

    text: str
    possible: str
    values: str
    kind: str = ""
    pair: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()

    @property
    def is_constant(self) -> bool:
        """Whether it has one value only, so that there is nothing to show."""
        return len(self.possible) < 2


class DecisionCoverage(Struct, frozen=True):
    """A decision and what tests showed of it. `note`: what is to be said of its MC/DC, or why it is not measured."""

    decision: Decision
    seen: tuple[SeenVector, ...]
    conditions: tuple[ConditionCoverage, ...]
    note: str = ""

    @property
    def is_measured(self) -> bool:
        return not self.decision.unmeasured

    @property
    def kind(self) -> str:
        """The criterion that the decision's pairs meet as a whole: masking if one of them needs it."""
        kinds = {condition.kind for condition in self.conditions if condition.kind}
        return MASKING if MASKING in kinds else UNIQUE_CAUSE if kinds else ""


def decision_coverage(decision: Decision, marks: Mapping[str, Iterable[int]], *, is_complete: bool) -> DecisionCoverage:
    """What tests showed; `marks`: test → the marks that it set, in the order of preference.

    `is_complete`: the vectors of all feasible paths are among them, so that what has no unique-cause pair here has none
    at all.
    """
    if decision.unmeasured:
        return DecisionCoverage(decision, (), (), f"not measured: {decision.unmeasured}")
    names: dict[int, list[str]] = {}
    for test, own in marks.items():
        for mark in own:
            if 0 <= mark - decision.first < len(decision.vectors):
                names.setdefault(mark - decision.first, []).append(test)
    seen = tuple(SeenVector(decision.vectors[index], tuple(tests)) for index, tests in sorted(names.items()))
    conditions = tuple(_condition(decision, seen, index) for index in range(len(decision.conditions)))
    return DecisionCoverage(
        decision, seen, conditions, _note(conditions, is_complete=is_complete and decision.is_branched)
    )


def _condition(decision: Decision, seen: Sequence[SeenVector], index: int) -> ConditionCoverage:
    possible = {vector.values[index] for vector in decision.possible} - {NOT_EVALUATED}
    values = {each.vector.values[index] for each in seen} - {NOT_EVALUATED}
    kind, pair = independence_pair(decision, [each.vector for each in seen], index)
    by_values = {each.vector.values: each.tests[0] for each in seen}
    return ConditionCoverage(
        decision.conditions[index],
        "".join(sorted(possible)),
        "".join(sorted(values)),
        kind,
        tuple(vector.values for vector in pair),
        tuple(by_values[vector.values] for vector in pair),
    )


def _note(conditions: Sequence[ConditionCoverage], *, is_complete: bool) -> str:
    masked = [condition.text for condition in conditions if condition.kind == MASKING]
    if not masked:
        return ""
    why = "no feasible path gives a unique-cause pair" if is_complete else "no unique-cause pair was found"
    return f"masking for {', '.join(masked)}: {why}"


def independence_pair(decision: Decision, seen: Sequence[Vector], index: int) -> tuple[str, tuple[Vector, ...]]:
    """The criterion and the first pair that meets it for the condition `index`, true side first; ("", ()) if none."""
    sides = [[vector for vector in seen if vector.values[index] == value] for value in (TRUE, FALSE)]
    for true, false in product(*sides):
        if is_unique_cause(true, false, index):
            return UNIQUE_CAUSE, (true, false)
    effective = [[vector for vector in side if is_effective(decision, vector, index)] for side in sides]
    for true, false in product(*effective):
        if true.outcome != false.outcome:
            return MASKING, (true, false)
    return "", ()


def is_unique_cause(one: Vector, other: Vector, index: int) -> bool:
    """Whether outcomes differ and the condition `index` is the only one evaluated in both that does."""
    different = [
        position
        for position, pair in enumerate(zip(one.values, other.values, strict=True))
        if NOT_EVALUATED not in pair and pair[0] != pair[1]
    ]
    return one.outcome != other.outcome and different == [index]


def is_effective(decision: Decision, vector: Vector, index: int) -> bool:
    """Whether the outcome would change with the condition: not masked by the others' values.

    Among the decision's vectors there is one that agrees with all that was evaluated here but for this condition, and
    has the other outcome. What was not evaluated here is free.
    """
    return any(is_unique_cause(vector, other, index) for other in decision.possible)


def counted_conditions(decisions: Iterable[DecisionCoverage]) -> tuple[int, int]:
    """Values taken and values that can be taken, of all conditions: gcc's condition outcomes."""
    found = [condition for decision in decisions for condition in decision.conditions]
    return sum(len(each.values) for each in found), sum(len(each.possible) for each in found)


def counted_pairs(decisions: Iterable[DecisionCoverage]) -> tuple[int, int]:
    """Conditions with a pair, and conditions that are not constant."""
    found = [each for decision in decisions for each in decision.conditions if not each.is_constant]
    return sum(bool(each.kind) for each in found), len(found)
