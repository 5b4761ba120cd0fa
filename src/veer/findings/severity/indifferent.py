"""Structs and bytes of a witness whose numbers do not matter: with any others in them it shows the same fault.

int load(const char *path, struct settings *s)      whatever `*s` holds before,
{ memset(s, 0, sizeof *s); ... strcpy(s->name, line); }     the copy overflows

struct vec *vec_of(void *item)                      whatever `item` leads to: the vector's body was never set
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator
from random import Random

from veer.findings.severity.repair import put
from veer.model.describe import type_at
from veer.model.inputs import InputMap, MemoryObject, Scalar
from veer.model.program import Program
from veer.model.types import TypeKind
from veer.model.unitfacts import struct_name
from veer.model.values import replace

_PLAIN = (0, 1)
"""What all numbers are in the first tries: drawn ones alone may all be out of bounds."""
_PAIRS = 2
"""Of tries: bits that are drawn are other ones in the first, and all others in the second."""


def indifferent(raw: bytes, inputs: InputMap, program: Program, shows: Callable[[bytes], bool]) -> tuple[str, ...]:
    """What may hold any other numbers, by name: structs, and the bytes that a `void *` leads to, each by its pointer.

    `shows`: whether an input shows the same fault. A struct with a pointer that the run looked at is none of them.
    """
    objects = defaultdict[str, list[MemoryObject]](list)
    for item in inputs.objects:
        if name := _name(item, program):
            objects[name].append(item)
    return tuple(name for name, items in objects.items() if _is_one(raw, items, shows))


def leaving_out(inputs: InputMap, names: Collection[str], program: Program) -> InputMap:
    """The input, with numbers of such structs as if no run had looked at them: for judging alone."""
    if not names:
        return inputs
    objects = tuple(_unused(item) if _name(item, program) in names else item for item in inputs.objects)
    return replace(inputs, objects=objects)


def _name(item: MemoryObject, program: Program) -> str:
    """Of the struct, or of the pointer to bytes of no type; "" for other objects."""
    type_ = type_at(program, item.type)
    if type_ is None or type_.kind is TypeKind.OPAQUE:
        return f"*{item.path}"
    return struct_name(type_.name) if type_.kind is TypeKind.STRUCT else ""


def _is_one(raw: bytes, items: Collection[MemoryObject], shows: Callable[[bytes], bool]) -> bool:
    numbers: list[Scalar] = []
    for cell in (cell for item in items for cell in item.cells):
        if not isinstance(cell.value, Scalar):
            if cell.value.decided:
                return False
        elif cell.value.used:
            if cell.value.at < 0 or cell.value.width % 8:
                return False
            numbers.append(cell.value)
    return all(shows(tried) for tried in _others(raw, numbers))


def _others(raw: bytes, numbers: Collection[Scalar]) -> Iterator[bytes]:
    """Inputs with other numbers. Each is drawn by itself, so that two that are equal are so no more."""
    for number in _PLAIN:
        plain = raw
        for each in numbers:
            plain = put(plain, each, number)
        yield plain
    drawing = Random(0)
    for _ in range(_PAIRS):
        first = second = raw
        for each in numbers:
            bits = drawing.getrandbits(each.width)
            first, second = put(first, each, each.bits ^ bits), put(second, each, ~(each.bits ^ bits))
        yield from (first, second)


def _unused(item: MemoryObject) -> MemoryObject:
    cells = (
        replace(cell, value=replace(cell.value, used=False)) if isinstance(cell.value, Scalar) else cell
        for cell in item.cells
    )
    return replace(item, cells=tuple(cells))
