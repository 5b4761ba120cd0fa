"""What arrays and collections of an input hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from veer.model.inputs import InputMap, Pointer
from veer.model.types import ELEMENTS, Type


def contents(types: Sequence[Type], inputs: InputMap, numbers: Iterable[int]) -> frozenset[int]:
    """The numbers of what arrays and collections among these objects hold, and arrays and collections among that."""
    items = {item.number: item for item in inputs.objects}
    found, waiting = set[int](), list(numbers)
    while waiting:
        item = items.get(waiting.pop())
        if item is None or all(each.name != ELEMENTS for each in types[item.type].fields):
            continue
        targets = [cell.value.target for cell in item.cells if isinstance(cell.value, Pointer)]
        new = {each for each in targets if each is not None} - found
        found |= new
        waiting += new
    return frozenset(found)
