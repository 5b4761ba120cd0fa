"""The types of inputs as a harness tells them to the runtime: rows of runtime/include/veer_harness.h.

A harness writes the rows down in whatever it is written in: C text, or LLVM IR (harness.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec import Struct

from veer.instrument.convention import name_number
from veer.model.literal import Leaf, leaves, offered
from veer.model.types import ARGUMENT, ExtentKind, Field, Type, TypeKind
from veer.wire.layout import Bound

KINDS = {
    TypeKind.UNSIGNED: 1,
    TypeKind.SIGNED: 2,
    TypeKind.BOOL: 3,
    TypeKind.CHAR: 4,
    TypeKind.FLOAT: 5,
    TypeKind.POINTER: 6,
    TypeKind.STRUCT: 7,
    TypeKind.UNION: 8,
    TypeKind.ARRAY: 9,
    TypeKind.OPAQUE: 10,
}
EXTENTS = {
    ExtentKind.ONE: 0,
    ExtentKind.STRING: 1,
    ExtentKind.FIXED: 2,
    ExtentKind.LENGTH: 3,
    ExtentKind.FUNCTION: 4,
    ExtentKind.COUNT: 5,
    ExtentKind.FLEXIBLE: 6,
    ExtentKind.END: 7,
}
_UNSIGNED = (1 << 64) - 1


class FieldRow(Struct, frozen=True):
    """A veer_field: byte offset, number of the member's name (0: none is needed), type id (-1: none)."""

    offset: int
    name: int
    type: int


class TypeRow(Struct, frozen=True):
    """A veer_type, member by member. `fields`: all field rows, members first; `target`: type id, or -1; `function`: a
    symbol, or empty; of a pointer to a part of a larger object the row of what it is declared to lead to."""

    id: int
    kind: int
    nullable: bool
    extent: int
    length_unit: int
    size: int
    count: int
    maximum: int
    alignment: int
    fields: tuple[FieldRow, ...]
    target: int
    length: str
    low: int
    high: int
    function: str
    bound: int
    longer: int


def type_rows(types: Sequence[Type], roots: Iterable[int]) -> tuple[TypeRow, ...]:
    """The rows of the types that making the roots needs, by id."""
    return tuple(_row(types, types[identity]) for identity in sorted(reachable(types, roots)))


def _row(types: Sequence[Type], row: Type) -> TypeRow:
    made = [each for each in members(row) if is_made(types, each.type)]
    others = offered(types, row)
    names = _member_names(types, row, others)
    fields = (
        *(FieldRow(each.offset, 0, each.type) for each in made),
        *(FieldRow(each.offset, names[0][place], each.type.id) for place, each in enumerate(others)),
        *(FieldRow(0, number, -1) for number in names[1]),
    )
    by_bytes = row.kind == TypeKind.POINTER and row.target >= 0 and types[row.target].kind == TypeKind.OPAQUE
    low, high = (
        row.minimum,
        row.maximum
        if row.kind in (TypeKind.UNSIGNED, TypeKind.SIGNED, TypeKind.CHAR)
        else int(row.kind == TypeKind.BOOL),
    )
    if others:
        low, high = len(names[1]), int(row.name == ARGUMENT)
    if row.extent == ExtentKind.FLEXIBLE:
        low, high = _flexible_places(types[row.target], row.length)
    if row.kind is TypeKind.POINTER and (row.start or row.end):
        low, high = row.start, row.end
    return TypeRow(
        id=row.id,
        kind=KINDS[row.kind],
        nullable=row.nullable,
        extent=EXTENTS.get(row.extent, 0),
        length_unit=int(not by_bytes),
        size=row.size,
        count=len(made)
        if row.kind in (TypeKind.STRUCT, TypeKind.UNION)
        else int(row.is_ranged) or row.count or row.inside,
        maximum=len(others) or (0 if row.is_ranged else row.maximum),
        alignment=row.alignment,
        fields=fields if made or others else (),
        target=row.target,
        length="" if row.end or row.start else row.length,
        low=low & _UNSIGNED,
        high=high & _UNSIGNED,
        function=row.callback or row.initialiser or (f"&veer_t_{row.declared}" if row.declared >= 0 else ""),
        bound=int(Bound[row.bound.name] if row.bound is not None else Bound.NONE),
        longer=int(Bound.LONGER if row.is_guess else Bound.NONE),
    )


def _member_names(types: Sequence[Type], union: Type, others: Sequence[Leaf]) -> tuple[list[int], list[int]]:
    """What the pointers that are offered are called, in their order, and what else is in the union; 0 = by both."""
    if not others:
        return [], []
    pointers = [_last_name(each.path) for each in others]
    everything = [
        _last_name(leaf.path)
        for field in union.fields
        for leaf in leaves(types, types[field.type], 0, f".{field.name}" if field.name else "")
    ]
    for name in pointers:
        everything.remove(name)
    of_pointers = [0 if name in everything else name_number(name) for name in pointers]
    return of_pointers, sorted({name_number(name) for name in everything if name and name not in pointers})


def _last_name(path: str) -> str:
    """The name of the innermost member in an access path."""
    found = re.findall(r"\.(\w+)", path)
    return found[-1] if found else ""


def _flexible_places(structure: Type, counter: str) -> tuple[int, int]:
    """Where the flexible array member lies, and 1 + where the member lies that counts it, or 0."""
    places = [each.offset + 1 for each in structure.fields if counter and each.name == counter]
    return structure.fields[-1].offset, next(iter(places), 0)


def members(row: Type) -> tuple[Field, ...]:
    """The members of a struct or union of which inputs are made."""
    return row.fields[: row.count] if row.kind == TypeKind.UNION else row.fields


def reachable(types: Sequence[Type], roots: Iterable[int]) -> set[int]:
    """The types that making the roots needs."""
    found: set[int] = set()
    waiting = [identity for identity in roots if is_made(types, identity)]
    while waiting:
        identity = waiting.pop()
        if identity in found:
            continue
        found.add(identity)
        row = types[identity]
        waiting += [each.type for each in members(row) if is_made(types, each.type)]
        waiting += [each.type.id for each in offered(types, row)]
        waiting += [below for below in (row.target, row.declared, row.returns, *_written(row)) if is_made(types, below)]
    return found


def _written(row: Type) -> Iterator[int]:
    """The types of the pointers that a stub writes."""
    return (each.target for each in row.passed)


def is_made(types: Sequence[Type], identity: int) -> bool:
    """Whether inputs of that type are made; a pointer that is always NULL is none, and a file is opened."""
    return identity >= 0 and types[identity].extent not in (ExtentKind.NULL, ExtentKind.OPEN)
