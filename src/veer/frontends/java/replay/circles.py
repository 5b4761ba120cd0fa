"""Objects that no program can make: each is an argument of the constructor of the next, round to the first.

    final class Node { final Node next; Node(Node next) { this.next = next; } }        object_1.next = object_1

Fields that can be set later make no such circle: `new Node(null)`, then `object_1.next = object_1`. An array can be
filled later, but for a constructor that looks into it: `new Chain(steps)` copies `steps`, which hold that very chain.
"""

from __future__ import annotations

from collections.abc import Set

from veer.frontends.java.types import TypeTable
from veer.model.contents import contents
from veer.model.inputs import InputMap, MemoryObject, Pointer, Scalar
from veer.model.types import CLASS_MEMBER


def needs_itself(table: TypeTable, inputs: InputMap) -> int | None:
    """The number of an object that would have to be there before it is made; None where there is none."""
    needs = {item.number: _needs(table, item, inputs) for item in inputs.objects}
    made: set[int] = set()
    while ready := {number for number, before in needs.items() if number not in made and before & needs.keys() <= made}:
        made |= ready
    return min(needs.keys() - made, default=None)


def _needs(table: TypeTable, item: MemoryObject, inputs: InputMap) -> Set[int]:
    """The objects that its constructor takes, and that cannot be set later; what arrays of them hold where it looks."""
    row, cells = table.types[item.type], {cell.offset: cell.value for cell in item.cells}
    members = {each.name: each.offset for each in row.fields}
    which = cells.get(members[CLASS_MEMBER]) if CLASS_MEMBER in members else None
    number = which.bits if isinstance(which, Scalar) else 0
    if number >= len(row.recipes):
        return frozenset()
    recipe = row.recipes[number]
    later = {member for member, _ in recipe.later}
    values = (cells.get(members[each]) for each in recipe.given if each not in later)
    given = {value.target for value in values if isinstance(value, Pointer) and value.target is not None}
    return given | contents(table.types, inputs, given) if recipe.reads else given
