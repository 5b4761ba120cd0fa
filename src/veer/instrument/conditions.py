"""Marks in the conditions build: one for each way to evaluate each decision, set when its evaluation is over.

    &&, || joined     clang says what belongs together and which way was taken (shortcircuit.py); its sum is the mark's
                      index:  veer_line_hits[<base> + first + *%mcdc.addr] = 1
    one condition     of an if, a loop or ?: is a decision of its own: veer_line_hits[<base> + first + condition] = 1

A switch is no decision, nor is a comparison whose value is only stored. An evaluation that does not come to its end
(a call in it exits) is none. The marks lie where the counters build has its lines: the two are different executables.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.instrument import convention
from veer.instrument.condition import ConditionText, SourceText, operands
from veer.instrument.debuglocation import NOWHERE, SYSTEM, DebugLocations, Position
from veer.instrument.definitions import definitions
from veer.instrument.lexer import bare
from veer.instrument.lines import DEFINE
from veer.instrument.shortcircuit import MOST_CONDITIONS, MOST_VECTORS, Body, Group, groups, vectors
from veer.model.decisions import FALSE, NOT_EVALUATED, TRUE, Decision, Vector
from veer.model.values import replace

_PROFILE = "  call void @llvm.instrprof."
_BRANCH = re.compile(r"^  br i1 (%\S+), label %([-\w.$]+), label %([-\w.$]+)")
_VALUE = re.compile(r"^  (%\S+) = (.*)$")
_LOCATION = re.compile(r"!dbg !(\d+)")
_TO_BOOL = re.compile(r"(?:icmp ne \S+|fcmp une \S+|trunc \S+) (%[^\s,]+)(?:, (?:0|null|0\.0\S*)| to i1)")
_CONTROLS = re.compile(r"(?:if\.then|while\.body|for\.body|do\.body|cond\.true)\d*$")
_JOINS = re.compile(r"(?:land|lor|lop)\.")
_EITHER = (Vector(FALSE, outcome=False), Vector(TRUE, outcome=True))
_TOO_MUCH = (
    "a condition of it holds && or || of its own, it is the negated condition of a ?:, or there are more than "
    f"{MOST_CONDITIONS} conditions or {MOST_VECTORS} ways to evaluate it"
)


def mark_conditions(
    text: str, unit: str, skipped: frozenset[str], source: SourceText
) -> tuple[str, tuple[Decision, ...]]:
    """The module with marks instead of clang's, and the decisions that they stand for.

    `skipped` are functions that are not the user's; those of system headers are left out, too.
    """
    lines = text.splitlines()
    marker = _Marker(unit, DebugLocations([line for line in lines if line.startswith("!")]), ConditionText(source))
    output: list[str] = []
    for matched, piece in definitions(lines, DEFINE):
        if matched is not None and matched[2] is not None and bare(matched[1]) not in skipped:
            piece = marker.function(bare(matched[1]), int(matched[2]), piece)
        output += [line for line in piece if not line.startswith(_PROFILE)]
    externals = [
        f"@{convention.LINE_HITS} = external dso_local global [0 x i8]",
        f"{convention.line_symbol(unit)} = external dso_local global i8",
    ]
    return "\n".join([*output, *externals]) + "\n", tuple(marker.found)


class _Marker:
    """Puts marks into functions and numbers the decisions that it meets."""

    def __init__(self, unit: str, locations: DebugLocations, conditions: ConditionText) -> None:
        self.found: list[Decision] = []
        self._base = convention.line_symbol(unit)
        self._locations = locations
        self._conditions = conditions
        self._marks = 0
        self._names = 0

    def function(self, name: str, subprogram: int, lines: list[str]) -> list[str]:
        """A definition with marks."""
        where = self._locations.function(subprogram)
        if not where.file or SYSTEM.search(where.file):
            return lines
        body = Body(lines)
        values = {matched[1]: index for index, line in enumerate(lines) if (matched := _VALUE.match(line))}
        marks: dict[int, list[str]] = {}
        joined: set[str] = set()
        found: list[tuple[int, Decision]] = []
        for group in groups(body):
            ways = vectors(body, group)
            if ways:
                joined |= {condition.value for condition in group.conditions}
                decision = self._joined(name, lines, values, group, ways)
                decision = replace(decision, is_branched=_is_branched(body, group))
                found.append((group.line, decision))
                marks |= {line: self._mark_sum(group, decision.first) for line in group.ends}
        unmeasured: dict[int, Decision] = {}
        for index, line in enumerate(lines):
            matched = _BRANCH.match(line)
            if matched is None or matched[1] in joined or " = phi " in lines[values.get(matched[1], 0)]:
                continue
            if any(_JOINS.match(label) for label in matched.groups()[1:]):
                place = self._place(line)
                unmeasured.setdefault(place.line, self._decision(name, place, (), (), _TOO_MUCH))
            elif any(_CONTROLS.match(label) for label in matched.groups()[1:]):
                decision = self._single(name, lines, values, matched[1], line)
                found.append((index, decision))
                marks[index] = [*self._mark_value(matched[1], decision.first), line]
        self.found += [decision for _, decision in sorted(found, key=lambda each: each[0])]
        self.found += unmeasured.values()
        return [new for index, line in enumerate(lines) for new in marks.get(index, [line])]

    def _joined(
        self, name: str, lines: Sequence[str], values: dict[str, int], group: Group, ways: tuple[Vector, ...]
    ) -> Decision:
        place = self._place(lines[group.line])
        whole = self._conditions.whole(place)
        texts = operands(whole)
        if len(texts) != len(group.conditions):
            texts = tuple(
                self._conditions.at(self._origin(lines, values, each.value, each.line)) for each in group.conditions
            )
        constants = {"true": TRUE, "false": FALSE}
        fixed = "".join(constants.get(each.value, NOT_EVALUATED) for each in group.conditions)
        return self._decision(name, place, _distinct(texts), ways, "", whole, fixed)

    def _single(self, name: str, lines: Sequence[str], values: dict[str, int], value: str, line: str) -> Decision:
        place = self._place(lines[values[value]]) if value in values else NOWHERE
        place = place if place.line else self._place(line)
        text = self._conditions.at(place)
        return self._decision(name, place, (text,), _EITHER, "", text)

    def _decision(
        self,
        function: str,
        place: Position,
        conditions: tuple[str, ...],
        ways: tuple[Vector, ...],
        unmeasured: str,
        text: str = "",
        fixed: str = "",
    ) -> Decision:
        first = self._marks
        self._marks += len(ways)
        return Decision(
            place.file,
            place.line,
            place.column,
            function,
            text or self._conditions.whole(place),
            conditions,
            ways,
            fixed or NOT_EVALUATED * len(conditions),
            first,
            unmeasured,
        )

    def _origin(self, lines: Sequence[str], values: dict[str, int], value: str, otherwise: int) -> Position:
        """Where a condition is written: where its operand is computed if it is only compared with zero."""
        line = lines[values.get(value, otherwise)]
        matched = _TO_BOOL.search(line)
        if matched is not None and matched[1] in values:
            place = self._place(lines[values[matched[1]]])
            if place.line:
                return place
        return self._place(line)

    def _place(self, line: str) -> Position:
        location = _LOCATION.search(line)
        return self._locations.position(int(location[1])) if location is not None else NOWHERE

    def _mark_sum(self, group: Group, first: int) -> list[str]:
        loaded, wide = self._name(), self._name()
        return [
            f"  {loaded} = load i32, ptr {group.address}",
            f"  {wide} = zext i32 {loaded} to i64",
            *self._mark(wide, first),
        ]

    def _mark_value(self, value: str, first: int) -> list[str]:
        wide = self._name()
        return [f"  {wide} = zext i1 {value} to i64", *self._mark(wide, first)]

    def _mark(self, index: str, first: int) -> list[str]:
        at, place = self._name(), self._name()
        base = f"ptrtoint (ptr getelementptr (i8, ptr {self._base}, i64 {first}) to i64)"
        return [
            f"  {at} = add i64 {index}, {base}",
            f"  {place} = getelementptr i8, ptr @{convention.LINE_HITS}, i64 {at}",
            f"  store i8 1, ptr {place}",
        ]

    def _name(self) -> str:
        self._names += 1
        return f"%veer.mark.{self._names}"


def _is_branched(body: Body, group: Group) -> bool:
    """Whether an if or ?: hangs on the decision: then each of its conditions is a branch in the other builds, too."""
    if len(group.ends) > 1:
        return True
    (block,) = group.ends.values()
    branches = filter(None, (_BRANCH.match(body.lines[index]) for index in body.blocks[block]))
    return any(label.startswith(("if.then", "cond.true")) for branch in branches for label in branch.groups()[1:])


def _distinct(texts: tuple[str, ...]) -> tuple[str, ...]:
    """Conditions of the same text get numbers: the pairs must say which of them is meant."""
    return tuple(
        f"{text} [{texts[:index].count(text) + 1}]" if texts.count(text) > 1 else text
        for index, text in enumerate(texts)
    )
