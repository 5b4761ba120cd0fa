"""Recorded inputs as Java source: an expression for each argument, a variable for each array.

a = 3     xs = object_1     object_1: new int[] {1, 2}
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping

from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Scalar
from veer.model.literal import image
from veer.model.program import Program, Type, TypeKind

THIS, NEW = "this", "new"
"""The input that an object is made of; what a constructor is called in an entry's name."""
MAIN, COUNT = ".main", "aCount"
"""How the entry of a program ends; the input that says how many arguments it has."""
ELEMENTS, ELEMENTS_AT = "elements", 16
"""The member of an array's memory that holds its elements, and where it lies (frontends/java/types.py)."""
_FLOATS = {4: ("<f", "Float.intBitsToFloat(0x{:x})", "f"), 8: ("<d", "Double.longBitsToDouble(0x{:x}L)", "")}


class Values:
    """The inputs of one test."""

    def __init__(self, program: Program, inputs: InputMap) -> None:
        self._types = program.types
        self._roots = {root.name: root for root in inputs.roots}
        self._inputs = inputs
        entry = program.function(program.entry)
        self._parameters = entry.parameters if entry is not None else ()
        self._is_program = not self._parameters and program.entry.endswith(MAIN)

    def arguments(self) -> Iterator[tuple[str, str]]:
        """Parameter and expression, in their order; the object that the entry is called on is none of them."""
        for parameter in self._parameters:
            if parameter.name != THIS:
                yield parameter.name, self._value(self._types[parameter.type], self._cells(parameter.name).get(0))

    def object(self) -> str:
        """The expression that makes the object that the entry is called on; empty where it needs none."""
        if not self._parameters or self._parameters[0].name != THIS:
            return ""
        type_, cells = self._types[self._parameters[0].type], self._cells(THIS)
        given = (self._value(self._types[each.type], cells.get(each.offset)) for each in type_.fields)
        return f"new {type_.name.replace('$', '.')}({', '.join(given)})"

    def asked(self) -> Iterator[tuple[str, list[int]]]:
        """What the program itself asks for: names, and bits in the order in which it does."""
        found: dict[str, list[int]] = {}
        for root in sorted(self._inputs.roots, key=lambda each: each.occurrence):
            if root.type < 0 and root.name not in {each.name for each in self._parameters}:
                value = root.cells[0].value if root.cells else None
                found.setdefault(root.name, []).append(value.bits if isinstance(value, Scalar) else 0)
        yield from found.items()

    def called(self, entry: str) -> str:
        """The call of the entry, as the code of its package names it."""
        if self._is_program:
            has_arguments = any(root.name == COUNT for root in self._inputs.roots)
            return f"{entry}({'veer.Given.arguments()' if has_arguments else 'new String[0]'})"
        given = ", ".join(text for _, text in self.arguments())
        owner, _, method = entry.rpartition(".")
        if method == NEW:
            return f"new {owner}({given})"
        return f"{self.object() or owner}.{method}({given})"

    def _cells(self, root: str) -> dict[int, Cell]:
        return {cell.offset: cell for cell in self._roots[root].cells} if root in self._roots else {}

    def objects(self) -> Iterator[tuple[int, str, str]]:
        """Number, type and expression of each array."""
        for item in self._inputs.objects:
            element = self.element(item)
            if self.is_string(item):
                units = image(item.cells, item.size)[ELEMENTS_AT:]
                yield item.number, "String", f'new String("{"".join(map(_in_string, units))}")'
            elif element is not None:
                cells = {cell.offset: cell for cell in item.cells}
                places = range(ELEMENTS_AT, item.size - element.size + 1, element.size)
                values = ", ".join(self._value(element, cells.get(at)) for at in places)
                yield item.number, f"{element.name}[]", f"new {element.name}[] {{{values}}}"

    def element(self, item: MemoryObject) -> Type | None:
        """The type of an array's elements."""
        fields = {each.name: each for each in self._types[item.type].fields}
        return self._types[self._types[fields[ELEMENTS].type].target] if ELEMENTS in fields else None

    def is_string(self, item: MemoryObject) -> bool:
        """Whether it is a string, by its characters."""
        return self._types[item.type].name == "String"

    def unread(self) -> set[str]:
        """The parameters that the run never looked at."""
        return {name for name, root in self._roots.items() if not any(map(_is_read, root.cells))}

    def _value(self, type_: Type, cell: Cell | None) -> str:
        value = cell.value if cell is not None else None
        if type_.kind is TypeKind.POINTER:
            target = value.target if isinstance(value, Pointer) else None
            return "null" if target is None else f"object_{target}"
        return literal(type_, value.bits if isinstance(value, Scalar) else 0)


def literal(type_: Type, bits: int) -> str:
    """A number of a primitive type by its bits, as an expression of that very type."""
    bits &= (1 << 8 * type_.size) - 1
    if type_.kind is TypeKind.BOOL:
        return "true" if bits & 1 else "false"
    if type_.kind is TypeKind.FLOAT:
        return _float(bits, type_.size)
    if type_.name == "char":
        return _character(bits)
    number = bits - (1 << 8 * type_.size) if bits >> (8 * type_.size - 1) else bits
    if type_.name == "long":
        return f"{number}L"
    return str(number) if type_.name == "int" else f"({type_.name}) {number}"


def _float(bits: int, size: int) -> str:
    code, exactly, suffix = _FLOATS[size]
    number: float = struct.unpack(code, bits.to_bytes(size, "little"))[0]
    return exactly.format(bits) if math.isnan(number) or math.isinf(number) else f"{number!r}{suffix}"


def _character(unit: int) -> str:
    """Unicode escapes are read before everything else, so that line ends and quotes need others."""
    if 0x20 <= unit < 0x7F and chr(unit) not in "'\\":
        return f"'{chr(unit)}'"
    return f"(char) {unit}"


def _in_string(unit: int) -> str:
    """A character below 256 within a string literal: octal escapes, for Unicode's are read before everything else."""
    return chr(unit) if 0x20 <= unit < 0x7F and chr(unit) not in '"\\' else f"\\{unit:03o}"


def part(data: bytes, offset: int, size: int) -> int:
    """The bits that lie at an offset."""
    return int.from_bytes(data[offset : offset + size], "little")


def element_literals(element: Type, data: bytes) -> str:
    """The elements of an array that lies in memory like this."""
    places = range(ELEMENTS_AT, len(data) - element.size + 1, element.size)
    return ", ".join(literal(element, part(data, at, element.size)) for at in places)


def enumerator(names: Mapping[int, str], number: int) -> str:
    """The class of this number; Throwable where it is none that is known."""
    return names.get(number, "java.lang.Throwable").replace("$", ".")


def _is_read(cell: Cell) -> bool:
    value = cell.value
    return value.used if isinstance(value, Scalar) else value.decided
