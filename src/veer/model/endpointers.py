"""Parameters that lead into what another one leads to: to its end, or to one of its elements.

    f(p, end)           end is p + n, and n the number of elements of p
    f(buf, p, end)      p is buf + k, and k at most the number of elements of buf
    f(pp, end)          end is *pp + n

As an input such a parameter is the number alone: a row of extent END, in which `length` names the other parameter.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from veer.model.inputs import InputMap
from veer.model.program import Parameter
from veer.model.types import ExtentKind, Type, TypeKind
from veer.model.values import replace


class LeadsFrom(Struct, frozen=True):
    """Where a parameter is counted from: the place of the other one, or of what that leads to (`is_behind`), whose
    elements have so many bytes; `is_nullable`: that may be NULL. `end`: the place of the parameter that is its end."""

    buffer: int
    end: int
    size: int
    is_behind: bool = False
    is_nullable: bool = False


def leads_from(parameters: Sequence[Parameter], types: Sequence[Type], place: int) -> LeadsFrom | None:
    """What the parameter at this place is counted from; None for one that leads into no other one."""
    row = _row(types, parameters[place].type)
    if row is None or row.extent is not ExtentKind.END:
        return None
    names = [each.name for each in parameters]
    buffer = names.index(_own(row.length))
    counted, is_behind = _row(types, parameters[buffer].type), False
    while counted is not None and counted.extent is not ExtentKind.LENGTH:
        counted, is_behind = _row(types, counted.target), True
    if counted is None:  # of a call whose input is not there
        return LeadsFrom(buffer, place, 1)
    element = _row(types, counted.target)
    size = max(element.size, 1) if element is not None else 1
    return LeadsFrom(buffer, names.index(_own(counted.length)), size, is_behind, counted.nullable)


def length_behind(types: Sequence[Type], identity: int) -> str:
    """The root that counts what a pointer leads to, or what the one pointer does that it leads to; "" for none."""
    row = _row(types, identity)
    if row is not None and row.kind is TypeKind.POINTER and row.extent is ExtentKind.ONE:
        inner = _row(types, row.target)
        row = inner if inner is not None and inner.kind is TypeKind.POINTER else None
    is_counted = row is not None and row.kind is TypeKind.POINTER and row.extent is ExtentKind.LENGTH
    return row.length if row is not None and is_counted else ""


def as_made(
    inputs: InputMap, parameters: Sequence[Parameter], roots: Sequence[tuple[str, int]]
) -> tuple[Parameter, ...]:
    """The parameters with the types of the inputs that were made for a call: its roots, each with its occurrence."""
    made = {(root.name, root.occurrence): root.type for root in inputs.roots}
    return tuple(replace(each, type=made.get(root, each.type)) for each, root in zip(parameters, roots, strict=True))


def counted(parameters: Sequence[Parameter], types: Sequence[Type], given: Sequence[str]) -> tuple[str, ...]:
    """The arguments of a call in C, where those that lead into others are numbers: `p`, `3` becomes `p`, `p + 3`."""
    return tuple(
        argument if (at := leads_from(parameters, types, place)) is None else _sum(at, given[at.buffer], argument)
        for place, argument in enumerate(given)
    )


def _sum(at: LeadsFrom, buffer: str, number: str) -> str:
    first = f"{'*' * at.is_behind}{buffer}"
    return first if number == "0" else f"{first} + {number}"


def _row(types: Sequence[Type], identity: int) -> Type | None:
    return types[identity] if 0 <= identity < len(types) else None


def _own(root: str) -> str:
    """The parameter's name; where several functions are called, its root has the function's name before its own."""
    return root.rpartition(".")[2]
