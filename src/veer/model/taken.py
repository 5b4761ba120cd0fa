"""What a test takes: its inputs without the bytes that no run looks at, and without fields of classes that none of its
objects is of. Two tests that take the same are one test.
"""

from __future__ import annotations

from collections.abc import Sequence

from veer.model.inputs import Cell, InputMap, MemoryObject, Scalar
from veer.model.types import CLASS_MEMBER, Type
from veer.model.values import replace


def taken(inputs: InputMap, types: Sequence[Type]) -> InputMap:
    """The same inputs with what counts."""
    objects = tuple(replace(each, cells=_of_its_class(each, types)) for each in inputs.objects)
    return replace(inputs, objects=objects, raw=b"")


def _of_its_class(item: MemoryObject, types: Sequence[Type]) -> tuple[Cell, ...]:
    row = types[item.type] if item.type >= 0 else None
    members = {each.offset: each.name for each in row.fields} if row is not None and len(row.recipes) > 1 else {}
    if row is None or CLASS_MEMBER not in members.values():
        return item.cells
    chosen = next((each.value for each in item.cells if members.get(each.offset) == CLASS_MEMBER), None)
    number = chosen.bits if isinstance(chosen, Scalar) else 0
    recipe = row.recipes[number] if number < len(row.recipes) else row.recipes[0]
    names = {CLASS_MEMBER, *recipe.given, *(name for name, _ in recipe.sets)}
    return tuple(each for each in item.cells if members.get(each.offset, CLASS_MEMBER) in names)
