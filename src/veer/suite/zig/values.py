"""Recorded inputs as Zig source: an expression for each argument, a variable for each object that it leads to.

    p = &object_1     object_1: unit.Point = .{ .x = 3, .next = null }
    s = &object_2     object_2: [3]u8 = .{ 1, 2, 3 }

An expression stands where its type is known (an argument, a member), so that it names none: `.{ .x = 3 }`, `.red`.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct, field

from veer.model.errors import UnsupportedInputError
from veer.model.inputs import Cell, InputMap, MemoryObject, Pointer, Scalar
from veer.model.program import Program
from veer.model.types import ExtentKind, Type, TypeKind

PAYLOAD, IS_SOME, ERROR = "payload", "is_some", "error"
"""The members of optionals and error unions, as frontends/zig calls them."""
POINTER, LENGTH = "ptr", "len"
"""The parts of slices."""
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*")
_STEP = re.compile(r"\.(@\"[^\"]*\"|\w+)|\[(\d+)\]")
_KEYWORDS = frozenset(
    (
        "addrspace",
        "align",
        "allowzero",
        "and",
        "anyframe",
        "anytype",
        "asm",
        "break",
        "callconv",
        "catch",
        "comptime",
        "const",
        "continue",
        "defer",
        "else",
        "enum",
        "errdefer",
        "error",
        "export",
        "extern",
        "fn",
        "for",
        "if",
        "inline",
        "linksection",
        "noalias",
        "noinline",
        "nosuspend",
        "opaque",
        "or",
        "orelse",
        "packed",
        "pub",
        "resume",
        "return",
        "struct",
        "suspend",
        "switch",
        "test",
        "threadlocal",
        "try",
        "union",
        "unreachable",
        "usingnamespace",
        "var",
        "volatile",
        "while",
    )
)
_FORMS = {4: ("<f", 32, 23), 8: ("<d", 64, 52)}


class Object(Struct, frozen=True):
    """An object of the inputs: what its variable is called, its cells by offset, whether it is an array.

    `count`: its elements, without the 0 that may stand behind them (`ending`).
    """

    name: str
    item: MemoryObject
    type: Type
    cells: Mapping[int, Cell]
    is_array: bool
    ending: bool
    count: int


class _Node(Struct):
    """A step of the names of roots: "items" of `p.items.len` is below "p"."""

    below: dict[str, _Node] = field(default_factory=dict)
    cells: Mapping[int, Cell] | None = None
    type: int = -1


class Written(Struct, frozen=True):
    """The inputs of a test: (parameter, expression) in their order, and the objects, which must be declared first."""

    arguments: tuple[tuple[str, str], ...]
    objects: tuple[Object, ...]


def is_optional(type_: Type) -> bool:
    """Whether this is an optional of something else than a pointer."""
    return type_.kind == TypeKind.STRUCT and {each.name for each in type_.fields} == {PAYLOAD, IS_SOME}


def is_error_union(type_: Type) -> bool:
    """Whether this is an error union."""
    names = {each.name for each in type_.fields}
    return type_.kind == TypeKind.STRUCT and ERROR in names and names <= {PAYLOAD, ERROR}


def is_slice(type_: Type) -> bool:
    """Whether this is a slice in a result."""
    return type_.kind == TypeKind.STRUCT and [each.name for each in type_.fields] == [POINTER, LENGTH]


class Writer:
    """Writes the inputs of one test."""

    def __init__(self, program: Program, inputs: InputMap) -> None:
        self._types = program.types
        self._program = program
        self._inputs = inputs
        self._arrays = _arrays(program.types, inputs)
        self.objects = {item.number: self._object(item) for item in inputs.objects}

    def written(self) -> Written:
        """All arguments and objects. Raises UnsupportedInputError for what cannot be written."""
        entry = self._program.function(self._program.entry)
        names = list(dict.fromkeys(_first(each.name) for each in entry.parameters)) if entry is not None else []
        tree = self._tree()
        arguments = tuple((name, self._of_node(tree.below[name])) for name in names if name in tree.below)
        return Written(arguments, tuple(self.objects.values()))

    def contents(self, item: Object) -> str:
        """What an object holds, as an expression for its type."""
        if not item.is_array:
            return self.expression(item.type, 0, item.cells)
        return self._elements(item.type, item.count, 0, item.cells)

    def expression(self, type_: Type, offset: int, cells: Mapping[int, Cell]) -> str:
        """The value of this type at an offset among the cells."""
        if is_optional(type_):
            places = {each.name: each for each in type_.fields}
            flag = cells.get(offset + places[IS_SOME].offset)
            if flag is None or not isinstance(flag.value, Scalar) or not flag.value.bits:
                return "null"
            payload = places[PAYLOAD]
            return self.expression(self._types[payload.type], offset + payload.offset, cells)
        if type_.kind == TypeKind.STRUCT:
            members = [
                f".{name_of(each.name)} = {self.expression(self._types[each.type], offset + each.offset, cells)}"
                for each in type_.fields
            ]
            return f".{{ {', '.join(members)} }}"
        if type_.kind == TypeKind.ARRAY:
            return self._elements(self._types[type_.target], type_.count, offset, cells)
        cell = cells.get(offset)
        if type_.kind == TypeKind.POINTER:
            return self._pointer(type_, cell)
        bits = cell.value.bits if cell is not None and isinstance(cell.value, Scalar) else _least(type_)
        return scalar(type_, bits)

    def _elements(self, element: Type, count: int, offset: int, cells: Mapping[int, Cell]) -> str:
        if not count:
            return ".{}"
        values = [self.expression(element, offset + index * element.size, cells) for index in range(count)]
        return f".{{ {', '.join(values)} }}" if count > 1 else f".{{{values[0]}}}"

    def _pointer(self, type_: Type, cell: Cell | None) -> str:
        value = cell.value if cell is not None else None
        target = value.target if isinstance(value, Pointer) else None
        if target is None:
            if type_.nullable:
                return "null"
            raise UnsupportedInputError(f"the run never looked at a {type_.name}")
        found = self.objects[target]
        is_single = type_.extent == ExtentKind.ONE
        return f"&{found.name}[0]" if is_single and found.is_array else f"&{found.name}"

    def _object(self, item: MemoryObject) -> Object:
        type_ = self._types[item.type]
        is_array, ending = self._arrays.get(item.number, (False, False))
        cells = {cell.offset: cell for cell in item.cells}
        count = item.count - int(ending)
        return Object(f"object_{item.number}", item, type_, cells, is_array, ending, count)

    # -- roots ---------------------------------------------------------------------------------------------------

    def _tree(self) -> _Node:
        top = _Node()
        for root in self._inputs.roots:
            node = top
            for step in _steps(root.name):
                node = node.below.setdefault(step, _Node())
            node.cells, node.type = {cell.offset: cell for cell in root.cells}, root.type
        return top

    def _of_node(self, node: _Node) -> str:
        if node.cells is not None:
            return self.expression(self._types[node.type], 0, node.cells)
        if set(node.below) == {POINTER, LENGTH}:
            return self._slice(node.below[POINTER], node.below[LENGTH])
        texts = {step: self._of_node(below) for step, below in node.below.items()}
        if all(step.isdigit() for step in texts):
            return f".{{ {', '.join(texts[step] for step in sorted(texts, key=int))} }}"
        return f".{{ {', '.join(f'.{name_of(step)} = {text}' for step, text in texts.items())} }}"

    def _slice(self, pointer: _Node, length: _Node) -> str:
        cell = (pointer.cells or {}).get(0)
        value = cell.value if cell is not None else None
        type_ = self._types[pointer.type]
        if isinstance(value, Pointer) and value.target is not None:
            return f"&{self.objects[value.target].name}"
        if type_.nullable and isinstance(value, Pointer) and value.decided:
            return "null"
        # The run looked at the length alone: so many elements, whatever they are.
        count = _length(length)
        element = self._types[type_.target]
        zeros = self._elements(element, count, 0, {})
        if not count and not type_.count:
            return "&.{}"
        if not type_.const:
            raise UnsupportedInputError("the run looked at the length of a slice alone")
        return f"&{zeros}"


def _length(node: _Node) -> int:
    cell = (node.cells or {}).get(0)
    return cell.value.bits if cell is not None and isinstance(cell.value, Scalar) else 0


def _least(type_: Type) -> int:
    """The bits of a number that the run never made."""
    return type_.minimum if type_.is_ranged and not type_.minimum <= 0 <= type_.maximum else 0


def _arrays(types: Sequence[Type], inputs: InputMap) -> dict[int, tuple[bool, bool]]:
    """Objects that slices, or pointers to texts, lead to; and whether a 0 stands behind their elements."""
    found: dict[int, tuple[bool, bool]] = {}
    for type_, value in _pointers(types, inputs):
        if value.target is None:
            continue
        if type_.extent in (ExtentKind.LENGTH, ExtentKind.STRING):
            ends = type_.extent == ExtentKind.STRING or bool(type_.count)
            found[value.target] = (True, ends or found.get(value.target, (True, False))[1])
    return found


def _pointers(types: Sequence[Type], inputs: InputMap) -> Iterator[tuple[Type, Pointer]]:
    for root in inputs.roots:
        for cell in root.cells:
            if isinstance(cell.value, Pointer) and root.type >= 0:
                leaf = _pointer_at(types, types[root.type], cell.offset)
                if leaf is not None:
                    yield leaf, cell.value


def _pointer_at(types: Sequence[Type], type_: Type, offset: int) -> Type | None:
    if type_.kind == TypeKind.POINTER:
        return type_
    for each in type_.fields:
        if each.offset <= offset < each.offset + types[each.type].size:
            return _pointer_at(types, types[each.type], offset - each.offset)
    if type_.kind == TypeKind.ARRAY and types[type_.target].size:
        return _pointer_at(types, types[type_.target], offset % types[type_.target].size)
    return None


def _steps(name: str) -> tuple[str, ...]:
    first = _first(name)
    return (first, *(matched[1] or matched[2] for matched in _STEP.finditer(name[len(first) :])))


def _first(name: str) -> str:
    """The parameter that a root is an input of."""
    return re.split(r"[.\[]", name, maxsplit=1)[0]


def name_of(text: str) -> str:
    """An identifier as it is written."""
    return text if _IDENTIFIER.fullmatch(text) and text not in _KEYWORDS else f'@"{text}"'


def scalar(type_: Type, bits: int) -> str:
    """A number, where its type is known."""
    if type_.kind == TypeKind.BOOL:
        return "true" if bits & 1 else "false"
    if type_.kind == TypeKind.FLOAT:
        return floating(bits, type_.size)
    number = number_of(type_, bits)
    if type_.enumerators:
        name = next((name for name, value in type_.enumerators if value == number), None)
        return f".{name_of(name)}" if name is not None else f"@enumFromInt({number})"
    return str(number)


def number_of(type_: Type, bits: int) -> int:
    """The bits as a number of this type."""
    width = 8 * type_.size
    bits &= (1 << width) - 1
    return bits - (1 << width) if type_.kind == TypeKind.SIGNED and bits >> (width - 1) else bits


def floating(bits: int, size: int) -> str:
    """A float with exactly these bits, where its type is known."""
    code, width, _ = _FORMS[size]
    number: float = struct.unpack(code, bits.to_bytes(size, "little"))[0]
    if math.isnan(number) or math.isinf(number):
        return f"@bitCast(@as(u{width}, 0x{bits:x}))"
    return repr(number)
