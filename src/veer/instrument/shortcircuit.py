"""Decisions in the compiler's IR: which branches belong to one && || expression, and the ways through it.

With -fcoverage-mcdc clang numbers the conditions of each decision itself, keeps the sum that says which way was taken
in a variable, and hands it over where the decision ends:

      store i32 0, ptr %mcdc.addr                          the decision begins
      %mcdc.1.cur = load i32, ptr %mcdc.addr               condition 1 is known: %tobool
      %1 = add i32 %mcdc.1.cur, 0                            what is added when it is true
      %2 = add i32 %mcdc.1.cur, 0                            and when it is false
      %3 = select i1 %tobool, i32 %1, i32 %2
      store i32 %3, ptr %mcdc.addr
      br i1 %tobool, label %land.rhs, label %land.end
    ...
    land.end:
      %9 = phi i1 [ false, %entry ], [ %tobool2, ... ]     the outcome
      call void @llvm.instrprof.mcdc.tvbitmap.update(ptr @__profn_f, i64 <hash>, i32 <first>, ptr %mcdc.addr)

So the grouping is the front end's. What follows each side of a condition is read off the branches; a decision is taken
for understood only if its sums are all numbers below the number of its ways, each once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from veer.model.decisions import FALSE, NOT_EVALUATED, TRUE, Vector
from veer.model.values import replace

MOST_CONDITIONS = 32
MOST_VECTORS = 2048
"""Ways to evaluate one decision. With more of either, it is not measured."""
_MOST_STEPS = 1000
"""Blocks that are gone through between one condition and the next."""
_LABEL = re.compile(r"^([-\w.$]+):")
_BEGIN = re.compile(r"^  store i32 0, ptr (%mcdc\.addr\d*),")
_CURRENT = re.compile(r"^  (%mcdc\.(\d+)\.cur\d*) = load i32, ptr (%mcdc\.addr\d*),")
_ADD = re.compile(r"^  (%\S+) = add i32 (%mcdc\.\d+\.cur\d*), (\d+)")
_SELECT = re.compile(r"^  %\S+ = select i1 (\S+), i32 (%\S+), i32 (%[^,\s]+)")
_END = re.compile(r"^  call void @llvm\.instrprof\.mcdc\.tvbitmap\.update\(.*, i32 (\d+), ptr (%mcdc\.addr\d*)\)")
_BRANCH = re.compile(r"^  br i1 (\S+), label %([-\w.$]+), label %([-\w.$]+)")
_JUMP = re.compile(r"^  br label %([-\w.$]+)")
_TARGET = re.compile(r"label %([-\w.$]+)")
_PHI = re.compile(r"^  (%\S+) = phi i1 (.*)$")
_INCOMING = re.compile(r"\[ (\S+), %([-\w.$]+) \]")
_NOT = re.compile(r"^  (%\S+) = xor i1 (\S+), true")
_SIDES = {"cond.true": True, "cond.false": False, "if.then": True, "if.else": False}
_CONSTANTS = {"true": True, "false": False}


class Condition(Struct, frozen=True):
    """A condition of a decision: clang's number, its value's name, what either side adds, the line of its sum."""

    number: int
    value: str
    when_true: int
    when_false: int
    block: str
    line: int


class Group(Struct, frozen=True):
    """The conditions of one decision, in the order of the source, and where it ends: line → block. An if ends in one
    place, behind a phi of the outcome; a ?: may end in two, the first of either side."""

    address: str
    conditions: tuple[Condition, ...]
    ends: Mapping[int, str]

    @property
    def line(self) -> int:
        """The first line of its end."""
        return next(iter(self.ends))


@dataclass(slots=True)
class Body:
    """The lines of a definition by basic block; indices are those of the definition's lines."""

    lines: list[str]
    blocks: dict[str, range] = field(default_factory=dict)

    def __post_init__(self) -> None:
        label, start = "", 1
        for index, line in enumerate(self.lines):
            matched = _LABEL.match(line)
            if matched is not None:
                if label:
                    self.blocks[label] = range(start, index)
                label, start = matched[1], index + 1
        self.blocks[label] = range(start, len(self.lines) - 1)


def groups(body: Body) -> tuple[Group, ...]:
    """The decisions that clang marked in a function."""
    found: dict[str, Group] = {}
    begun: dict[str, list[Condition]] = {}
    for label, span in body.blocks.items():
        for index in span:
            line = body.lines[index]
            if matched := _BEGIN.match(line):
                begun[matched[1]] = []
            elif matched := _CURRENT.match(line):
                condition = _condition(body.lines[index : index + 4], label, index)
                if condition is not None:
                    begun.setdefault(matched[3], []).append(condition)
            elif matched := _END.match(line):
                group = found.get(matched[1])
                if group is None:
                    found[matched[1]] = Group(matched[2], tuple(begun.pop(matched[2], ())), {index: label})
                else:
                    found[matched[1]] = replace(group, ends={**group.ends, index: label})
    return tuple(found.values())


def _condition(lines: Sequence[str], block: str, index: int) -> Condition | None:
    current, *adds = _CURRENT.match(lines[0]), *(_ADD.match(line) for line in lines[1:3])
    select = _SELECT.match(lines[3]) if len(lines) == 4 else None
    if current is None or select is None or len(adds) != 2:
        return None
    sums = {each[1]: int(each[3]) for each in adds if each is not None and each[2] == current[1]}
    if {select[2], select[3]} != set(sums) or len(sums) != 2:
        return None
    return Condition(int(current[2]), select[1], sums[select[2]], sums[select[3]], block, index)


def vectors(body: Body, group: Group) -> tuple[Vector, ...]:
    """The ways to evaluate a decision, by the sum that clang computes for each; nothing when it is not understood."""
    by_number = {condition.number: condition for condition in group.conditions}
    count = len(group.conditions)
    if not 0 < count <= MOST_CONDITIONS or sorted(by_number) != list(range(1, count + 1)):
        return ()
    after: dict[tuple[int, bool], int | bool] = {}
    for condition in group.conditions:
        for side in (False, True):
            found = _after(body, group, condition, side)
            if found is None:
                return ()
            after[condition.number, side] = found
    sums: dict[int, Vector] = {}
    for total, values, outcome in _ways(by_number, after):
        letters = "".join(values.get(condition.number, NOT_EVALUATED) for condition in group.conditions)
        if total in sums or len(sums) >= MOST_VECTORS:
            return ()
        sums[total] = Vector(letters, outcome)
    return tuple(sums[index] for index in range(len(sums))) if set(sums) == set(range(len(sums))) else ()


def _ways(
    conditions: Mapping[int, Condition], after: Mapping[tuple[int, bool], int | bool]
) -> Iterable[tuple[int, dict[int, str], bool]]:
    """(sum, letters by number, outcome) of each way; a condition that would follow itself ends all."""
    pending: list[tuple[int, int, dict[int, str]]] = [(1, 0, {})]
    while pending:
        number, total, values = pending.pop()
        if number in values:
            return
        for side, added in ((False, conditions[number].when_false), (True, conditions[number].when_true)):
            letters = {**values, number: TRUE if side else FALSE}
            then = after[number, side]
            if isinstance(then, bool):
                yield total + added, letters, then
            else:
                pending.append((then, total + added, letters))


def _after(body: Body, group: Group, condition: Condition, side: bool) -> int | bool | None:  # noqa: FBT001 - private
    """What follows when a condition has this value: the next condition's number, the outcome, or None if unclear."""
    lines = {each.line: each.number for each in group.conditions}
    start = (condition.block, "", condition.line + 4, ((condition.value, side),))
    found: set[tuple[str, int | bool]] = set()
    pending: list[tuple[str, str, int, tuple[tuple[str, bool], ...]]] = [start]
    seen: set[tuple[str, str, int, tuple[tuple[str, bool], ...]]] = set()
    while pending:
        label, origin, first, known = pending.pop()
        values = dict(known)
        _enter(body, label, origin, first, values)
        stop = next(
            (index for index in body.blocks[label] if index >= first and (index in lines or index in group.ends)), None
        )
        if stop is not None and stop in lines:
            found.add(("next", lines[stop]))
            continue
        if stop is not None:
            outcome = _outcome(body, label, values) if len(group.ends) == 1 else _SIDES.get(label.rstrip("0123456789"))
            if outcome is None:
                return None
            found.add(("end", outcome))
            continue
        for target in _targets(body, label, values):
            state = (target, label, body.blocks[target].start, tuple(sorted(values.items())))
            if len(seen) > _MOST_STEPS:
                return None
            if state not in seen:
                seen.add(state)
                pending.append(state)
    return next(iter(found))[1] if len(found) == 1 else None


def _enter(body: Body, label: str, origin: str, first: int, values: dict[str, bool]) -> None:
    """Adds what is known of a block's bits when it is entered from `origin`."""
    for index in body.blocks[label]:
        line = body.lines[index]
        if (matched := _PHI.match(line)) and origin:
            incoming = {each[2]: each[1] for each in _INCOMING.finditer(matched[2])}.get(origin, "")
            value = _CONSTANTS.get(incoming, values.get(incoming))
            values.pop(matched[1], None)
            if value is not None:
                values[matched[1]] = value
        elif (matched := _NOT.match(line)) and index >= first and matched[2] in values:
            values[matched[1]] = not values[matched[2]]


def _outcome(body: Body, label: str, values: Mapping[str, bool]) -> bool | None:
    """The value of the phi that joins the ways."""
    for index in body.blocks[label]:
        if matched := _PHI.match(body.lines[index]):
            return values.get(matched[1])
    return None


def _targets(body: Body, label: str, values: Mapping[str, bool]) -> tuple[str, ...]:
    """The blocks that may follow."""
    span = body.blocks[label]
    for index in reversed(span):
        line = body.lines[index]
        if matched := _BRANCH.match(line):
            value = _CONSTANTS.get(matched[1], values.get(matched[1]))
            return (matched[2], matched[3]) if value is None else (matched[2] if value else matched[3],)
        if matched := _JUMP.match(line):
            return (matched[1],)
        if line.startswith(("  ret ", "  unreachable")):
            return ()
        if line.startswith(("  switch ", "  indirectbr ", "  callbr ")):
            return tuple(_TARGET.findall(" ".join(body.lines[index : span.stop])))
    return ()
