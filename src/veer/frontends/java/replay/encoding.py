"""A recorded test as the driver on the JVM reads it (VeerReplay.java): its arguments as text."""

from __future__ import annotations

from collections.abc import Iterable

from veer.frontends.java.classfile.descriptors import dotted
from veer.frontends.java.lowering.cuts import INPUTS
from veer.frontends.java.lowering.world import ELEMENTS_AT, SIZES
from veer.frontends.java.types import STRING
from veer.model.inputs import InputMap, MemoryObject, Pointer, Scalar
from veer.model.literal import image

ARGUMENTS = "args"
"""The type of a program's arguments: `args:given`, `args:none`."""


def command(name: str, owner: str, method: str, given: Iterable[tuple[str, str, int]], inputs: InputMap) -> str:
    """The line of a test. `owner`: an internal name; `given`: the type of each argument, its input, the byte offset in
    there. What the program itself asks for stands behind them."""
    cells = {(root.name, cell.offset): cell.value for root in inputs.roots for cell in root.cells}
    objects = {each.number: each for each in inputs.objects}
    words = []
    for type_, root, offset in given:
        if type_ == ARGUMENTS:
            words.append(f"{ARGUMENTS}:{root}")
            continue
        value = cells.get((root, offset))
        if type_ in SIZES:
            words.append(f"{type_}:{_bits(value):x}")
        else:
            words.append(_array(type_, value, objects))
    for asked, values in asked_values(inputs).items():
        words.append(f"?{asked}:{','.join(f'{bits:x}' for bits in values)}")
    return "\t".join([name, dotted(owner), method, *words])


def asked_values(inputs: InputMap) -> dict[str, list[int]]:
    """What a program asks for by each name, as bits, in the order in which it does."""
    found: dict[str, list[int]] = {}
    for root in sorted(inputs.roots, key=lambda each: each.occurrence):
        if root.name in INPUTS and root.type < 0:
            found.setdefault(root.name, []).append(_bits(root.cells[0].value) if root.cells else 0)
    return found


def element_bits(data: bytes, type_: str) -> list[int]:
    """The elements of an array that lies in memory like this."""
    size = SIZES[type_]
    places = range(ELEMENTS_AT, len(data) - size + 1, size)
    return [int.from_bytes(data[at : at + size], "little") for at in places]


def _bits(value: object) -> int:
    return value.bits if isinstance(value, Scalar) else 0


def _array(type_: str, value: object, objects: dict[int, MemoryObject]) -> str:
    target = value.target if isinstance(value, Pointer) else None
    if target is None:
        return f"{type_}:null"
    found = objects[target]
    numbers = element_bits(image(found.cells, found.size), "B" if type_ == STRING else type_[1:])
    return f"{type_}#{target}:{len(numbers)}:{','.join(f'{number:x}' for number in numbers)}"
