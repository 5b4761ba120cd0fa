"""Which of two inputs is the smaller one: what a reader would rather see, as a total order.

It is the shortlex order of Hypothesis (fewer choices first, then the plainer ones from left to right), with what the
choices are for set before their number:

    1  fewer calls               add(1)                          before  add(0), add(0)     (before the entry, too)
    2  fewer aliases             p = {1}, q = {1}                before  p = {1}, q = p
    3  fewer objects             p = {1, NULL}                   before  p = {0, q}, q = {1, NULL}
    4  fewer values              "b"                             before  "aa"
    5  plainer values, the first that differs decides            x = 0, y = 9  before  x = 1, y = 8

Numbers are plain in the order 0, 1, -1, 2, -2, ...; characters in the order a-z, A-Z, 0-9, other printable ones, NUL,
the others; floats are whole, then with ever smaller fractions, then infinite, then not a number. NULL is plainer than
an object. What the run never made counts nothing.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple, TypeAlias

from veer.model.inputs import Cell, InputMap, Pointer, Scalar
from veer.model.literal import image
from veer.model.program import SymbolicFile
from veer.model.state import NEXT

Plainness: TypeAlias = tuple[int, float, int]
"""Of one value: the smaller the plainer. A class, a magnitude within it, and 1 for a negative one of that magnitude."""

TEXT_KINDS = ("char", "byte")
"""Kinds of leaves, as in Scalar, that are shown as characters."""
_PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]
_ALL = [chr(code) for code in range(0x100)]
CHARACTERS: tuple[int, ...] = tuple(
    map(ord, dict.fromkeys([*ascii_lowercase, *ascii_uppercase, *digits, *_PRINTABLE, *_ALL]))
)
"""The codes of all characters, the plainest first."""
_PLACE = {code: place for place, code in enumerate(CHARACTERS)}
_FLOATS = {32: ("<f", 4), 64: ("<d", 8)}


class Size(NamedTuple):
    """How large an input is; sizes are compared from left to right."""

    calls: int
    aliases: int
    objects: int
    values: int
    plainness: tuple[Plainness, ...]


def size_of(inputs: InputMap) -> Size:
    """How large an input is. Two inputs of one program have the same size only if they have the same values."""
    cells = tuple(_made(inputs))
    led_to: set[int] = set()
    aliases = 0
    for cell in cells:
        target = cell.value.target if isinstance(cell.value, Pointer) else None
        aliases += target in led_to
        if target is not None:
            led_to.add(target)
    values = tuple(_of_cell(cell.value) for cell in cells)
    before = sum(root.name == NEXT and any(image(root.cells, root.size)) for root in inputs.roots)
    return Size(len(inputs.calls) + before, aliases, len(inputs.objects), len(values), values)


def plainness(bits: int, width: int, kind: str) -> Plainness:
    """That of a number: `bits` and `kind` as in Scalar."""
    if kind in TEXT_KINDS and width == 8:
        return 0, _PLACE[bits], 0
    if kind == "float" and width in _FLOATS:
        return _of_float(bits, width)
    number = Scalar(bits, width, kind).number
    return 0, abs(number), int(number < 0)


def _made(inputs: InputMap) -> Iterator[Cell]:
    """What the run made of its input: of files as many bytes as they have."""
    ends = {root.name: int.from_bytes(image(root.cells, root.size), "little") for root in inputs.roots}
    for root in inputs.roots:
        end = ends.get(SymbolicFile(root.name, root.size).size_root, root.size)
        yield from (cell for cell in root.cells if cell.offset < end and _is_made(cell.value))
    for item in inputs.objects:
        yield from (cell for cell in item.cells if _is_made(cell.value))


def _is_made(value: Scalar | Pointer) -> bool:
    return value.used if isinstance(value, Scalar) else value.decided


def _of_cell(value: Scalar | Pointer) -> Plainness:
    if isinstance(value, Scalar):
        return plainness(value.bits, value.width, value.kind)
    if value.function:
        return 0, 1, 0
    return 0, value.target or 0, 0


def _of_float(bits: int, width: int) -> Plainness:
    code, size = _FLOATS[width]
    number = struct.unpack(code, bits.to_bytes(size, "little"))[0]
    is_negative = int(bits >> (width - 1))
    if math.isnan(number):
        return 1100, bits, is_negative
    if math.isinf(number):
        return 1099, 0, is_negative
    return number.as_integer_ratio()[1].bit_length() - 1, abs(number), is_negative
