"""Members of a struct that are the two ends of one buffer, or lead into it: the code of the unit compares them.

struct reader { const char *cur, *end; };             r->cur < r->end: end is the end of cur
struct buffer { char *begin, *pos, *end; };           pos leads into what begin leads to
struct vector { int *begin, *end, *limit; };          limit is the end, where the code writes at end
struct item { struct item *next, *last; };            no names that say which one is the end: neither

Which of two is the end only their names say: the functions of a unit move each of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from msgspec import Struct

from veer.frontends.c.extents import ObjectBounds
from veer.model.types import BoundKind, ExtentKind, Field, Type, TypeKind
from veer.model.unitfacts import NAMELESS, Place, UnitFacts, field_place
from veer.model.values import replace

_ENDS = (
    re.compile(r".*(limit|lim)(_?(p|ptr))?", re.IGNORECASE),
    re.compile(r".*(end|stop|last|fence|eof|eos|eob)(_?(p|ptr))?|pe", re.IGNORECASE),
    re.compile(r".*(tail|top)|(.*_)?e", re.IGNORECASE),
)
"""What an end is called, the surest names first: beyond an end of what there is there may be one of all room."""
_BEGIN = re.compile(r".*(begin|start|base|first|head|bof|buf|buffer|data|mem|ptr0)|p0", re.IGNORECASE)
_COUNTED = (ExtentKind.STRING, ExtentKind.COUNT, ExtentKind.ONE, ExtentKind.FIXED)


class Spans(Struct, frozen=True):
    """Pairs of pointers that the code compares by order, or subtracts; `same`: that it asks whether they are the same;
    `touched`: at which it reads or writes. `apart`: members that somebody says have no end, as `reader.cur`."""

    pairs: frozenset[tuple[Place, Place]] = frozenset()
    same: frozenset[tuple[Place, Place]] = frozenset()
    touched: frozenset[Place] = frozenset()
    apart: frozenset[str] = frozenset()


class EndMember(Struct, frozen=True):
    """A member that leads into what another one leads to; all by their places among the fields. `end`: the member that
    is the end of that, itself or another one."""

    member: int
    start: int
    end: int


def spans_of(facts: UnitFacts) -> Spans:
    """What a unit shows."""
    return Spans(facts.spans, facts.same, facts.touched)


def end_members(struct: str, fields: Sequence[Field], types: Sequence[Type], spans: Spans) -> tuple[EndMember, ...]:
    """Those of a struct. Of several that may be the end it is the last one."""
    related = _related(struct, fields, types, spans)
    found: list[EndMember] = []
    taken: set[int] = set()
    for name, end in ((name, end) for name in _ENDS for end in sorted(related, reverse=True)):
        others = sorted(_reached(end, related))
        if field_place(struct, fields[end].offset) in spans.touched:
            continue
        if not name.fullmatch(fields[end].name) or taken & {end, *others}:
            continue
        start = next((each for each in others if _BEGIN.fullmatch(fields[each].name)), others[0])
        found.append(EndMember(end, start, end))
        found += [EndMember(each, start, end) for each in others if each != start]
        taken |= {end, *others}
    return tuple(found)


def rows_of_ends(
    struct: str, fields: Sequence[Field], types: Sequence[Type], spans: Spans, limits: ObjectBounds
) -> Mapping[int, Type]:
    """The rows of such members, and of those that they are counted from, by their places."""
    found: dict[int, Type] = {}
    for each in end_members(struct, fields, types, spans) if struct != NAMELESS else ():
        member, start, end = (fields[number] for number in (each.member, each.start, each.end))
        if f"{struct}.{start.name}" in spans.apart:
            continue
        buffer = _sized(types[start.type], types, limits)
        buffer = replace(buffer, extent=ExtentKind.LENGTH, length=end.name, is_guess=True)
        found[each.start] = replace(buffer, end=end.offset - start.offset)
        own = replace(_sized(types[member.type], types, limits), extent=ExtentKind.END, length=start.name)
        found[each.member] = replace(own, start=start.offset - member.offset, end=end.offset - member.offset)
    return found


def _sized(row: Type, types: Sequence[Type], limits: ObjectBounds) -> Type:
    """A pointer with the usual bound of its elements."""
    if types[row.target].size <= 1:
        return replace(row, maximum=max(limits.max_length, 1), bound=BoundKind.LENGTH)
    return replace(row, maximum=max(limits.max_array, 1), bound=BoundKind.ARRAY)


def _related(struct: str, fields: Sequence[Field], types: Sequence[Type], spans: Spans) -> Mapping[int, set[int]]:
    """The members that the code relates with each other, of those that lead to one kind of elements. Whether two are
    the same it asks of lists, too: that relates a member with those that are related otherwise."""
    places = {field_place(struct, each.offset): at for at, each in enumerate(fields) if _is_counted(types, each)}
    found: dict[int, set[int]] = {}
    for pairs, is_weak in ((spans.pairs, False), (spans.same, True)):
        known = set(found)
        for one, other in pairs:
            first, second = places.get(one, -1), places.get(other, -1)
            if min(first, second) < 0 or first == second or (is_weak and not {first, second} & known):
                continue
            if types[fields[first].type].target == types[fields[second].type].target:
                found.setdefault(first, set()).add(second)
                found.setdefault(second, set()).add(first)
    return found


def _is_counted(types: Sequence[Type], member: Field) -> bool:
    row = types[member.type] if 0 <= member.type < len(types) else None
    return row is not None and row.kind is TypeKind.POINTER and row.extent in _COUNTED and not member.const


def _reached(start: int, related: Mapping[int, set[int]]) -> set[int]:
    """All that a member is related with, by way of others, too."""
    found, waiting = set[int](), [start]
    while waiting:
        new = related.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found - {start}
