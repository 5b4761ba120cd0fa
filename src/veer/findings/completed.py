"""Objects of tests that no run looked into, and whose constructor refuses zeros and nulls: made as in another test.

A run makes such objects when the entry is over (runtime/tracer/unmade.c). One that ends in a bug has none made.

    test 4   item = object 1, of no values          test 2   item = object 1 (name: object 2, price: 1)
    → object 1 (name: object 3, price: 1), object 3 the text of test 2
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Scalar
from veer.model.program import Program
from veer.model.result import Test
from veer.model.values import replace

_Donors = Mapping[tuple[int, int], tuple[MemoryObject, InputMap]]
"""By type and number of elements."""


def completed(tests: Sequence[Test], program: Program) -> tuple[Test, ...]:
    """The tests, with values where one of the others has such an object."""
    refusing = {row.id for row in program.types if row.recipes and row.recipes[0].refuses}
    if not refusing:
        return tuple(tests)
    donors: dict[tuple[int, int], tuple[MemoryObject, InputMap]] = {}
    for test in tests:
        for item in test.inputs.objects:
            if item.type in refusing and not test.outcome.is_bug and not _is_unmade(item):
                donors.setdefault((item.type, item.count), (item, test.inputs))
    return tuple(replace(test, inputs=_filled(test.inputs, refusing, donors)) for test in tests)


def _is_unmade(item: MemoryObject) -> bool:
    return not any(cell.value.used if isinstance(cell.value, Scalar) else cell.value.decided for cell in item.cells)


def _filled(inputs: InputMap, refusing: Iterable[int], donors: _Donors) -> InputMap:
    objects, number = list(inputs.objects), max((each.number for each in inputs.objects), default=0)
    for place, item in enumerate(inputs.objects):
        donor = donors.get((item.type, item.count)) if item.type in refusing and _is_unmade(item) else None
        if donor is None:
            continue
        parts = _with_parts(*donor)
        numbers = {each.number: number + 1 + at for at, each in enumerate(parts[1:])} | {donor[0].number: item.number}
        number += len(parts) - 1
        renamed = [_renumbered(each, numbers) for each in parts]
        objects[place] = replace(renamed[0], path=item.path)
        objects += renamed[1:]
    return replace(inputs, objects=tuple(objects))


def _with_parts(item: MemoryObject, inputs: InputMap) -> list[MemoryObject]:
    """The object, and what it leads to."""
    by_number = {each.number: each for each in inputs.objects}
    found = [item]
    for each in found:
        for cell in each.cells:
            target = by_number.get(cell.value.target or 0) if isinstance(cell.value, Pointer) else None
            if target is not None and target not in found:
                found.append(target)
    return found


def _renumbered(item: MemoryObject, numbers: Mapping[int, int]) -> MemoryObject:
    def moved(cell: Cell) -> Cell:
        if not isinstance(cell.value, Pointer) or cell.value.target is None:
            return cell
        return replace(cell, value=replace(cell.value, target=numbers[cell.value.target]))

    return replace(item, number=numbers[item.number], cells=tuple(map(moved, item.cells)))
