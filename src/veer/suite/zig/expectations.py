"""What a test expects: of its result, and of the objects that the call changed."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from veer.model.inputs import Cell, MemoryObject
from veer.model.literal import Leaf, leaves, object_leaves
from veer.model.made import Link, link_at
from veer.model.program import Program
from veer.model.result import Output, Test
from veer.model.types import SCALAR_KINDS, ExtentKind, Type, TypeKind
from veer.model.written import POINTER_SIZE, is_changed, is_known, is_settled, part, place_of
from veer.suite.zig.values import (
    ERROR,
    IS_SOME,
    LENGTH,
    PAYLOAD,
    POINTER,
    Object,
    floating,
    is_error_union,
    is_optional,
    is_slice,
    name_of,
    scalar,
)

_EXPECT = "try std.testing.expect"
_DEEPEST = 3  # pointers that are followed one behind the other
_MOST_ELEMENTS = 16
_ESCAPED = '"\\'


def of_result(program: Program, test: Test, call: str) -> Iterator[str]:
    """The statements that make the call and look at what it returns."""
    entry = program.function(program.entry)
    returns = entry.returns if entry is not None else -1
    if returns < 0 or test.returned is None:
        yield f"_ = {call};"
        return
    type_ = program.types[returns]
    found = list(_Checks(program, test, test.returned, _links(test)).of(type_, 0, "result"))
    if is_error_union(type_) and not _error(program, type_, test.returned):
        yield f"const result = try {call};"
    else:
        yield f"const result = {call};"
    yield from found or ["_ = result;"]


def _links(test: Test) -> Sequence[Link]:
    """The pointers of the result: those that the plain build has, too."""
    return test.left.result if test.left.is_confirmed else ()


def _error(program: Program, type_: Type, data: bytes) -> int:
    place = next(each for each in type_.fields if each.name == ERROR)
    return int.from_bytes(data[place.offset : place.offset + program.types[place.type].size], "little")


class _Checks(Struct):
    """Statements that compare a recorded value with the one that is there.

    `data`: its bytes; `links`: the pointers among them; `unwritten`: of which bytes nothing is known; `depth`: how many
    pointers were followed to it.
    """

    program: Program
    test: Test
    data: bytes
    links: Sequence[Link]
    unwritten: tuple[int, ...] = ()
    depth: int = 0

    def of(self, type_: Type, offset: int, place: str) -> Iterator[str]:
        """The checks of the value of this type at an offset of the bytes, which Zig calls `place`."""
        if is_error_union(type_):
            yield from self._error_union(type_, offset, place)
        elif is_optional(type_):
            fields = {each.name: each for each in type_.fields}
            if not self._number(self._types[fields[IS_SOME].type], offset + fields[IS_SOME].offset):
                yield f"{_EXPECT}({place} == null);"
            else:
                yield f"{_EXPECT}({place} != null);"
                payload = fields[PAYLOAD]
                yield from self.of(self._types[payload.type], offset + payload.offset, f"{place}.?")
        elif is_slice(type_):
            yield from self._slice(type_, offset, place)
        elif type_.kind == TypeKind.STRUCT:
            for each in type_.fields:
                yield from self.of(self._types[each.type], offset + each.offset, f"{place}.{name_of(each.name)}")
        elif type_.kind == TypeKind.ARRAY:
            element = self._types[type_.target]
            for index in range(type_.count):
                yield from self.of(element, offset + index * element.size, f"{place}[{index}]")
        elif type_.kind == TypeKind.POINTER:
            yield from self._pointer(type_, offset, place)
        elif type_.kind in SCALAR_KINDS and self._is_settled(offset, type_.size):
            yield check(type_, self.data[offset : offset + type_.size], place)

    @property
    def _types(self) -> Sequence[Type]:
        return self.program.types

    def _error_union(self, type_: Type, offset: int, place: str) -> Iterator[str]:
        fields = {each.name: each for each in type_.fields}
        errors = self._types[fields[ERROR].type]
        number = self._number(errors, offset + fields[ERROR].offset)
        if number:
            name = next((name for name, value in errors.enumerators if value == number), None)
            some = f"if ({place}) |_| return error.TestExpectedError else |_| {{}}"
            yield f"{_EXPECT}Error(error.{name_of(name)}, {place});" if name else some
        elif PAYLOAD in fields:
            # The call is made with `try` then: the result is the payload.
            there = place if place == "result" else f"(try {place})"
            yield from self.of(self._types[fields[PAYLOAD].type], offset + fields[PAYLOAD].offset, there)

    def _slice(self, type_: Type, offset: int, place: str) -> Iterator[str]:
        length = next(each for each in type_.fields if each.name == LENGTH)
        pointer = next(each for each in type_.fields if each.name == POINTER)
        row, at = self._types[pointer.type], offset + pointer.offset
        count = self._number(self._types[length.type], offset + length.offset)
        if row.nullable and not self._number(row, at):
            yield f"{_EXPECT}({place} == null);"
            return
        there = f"{place}.?" if row.nullable else place
        yield f"{_EXPECT}Equal({count}, {there}.len);"
        link = link_at(self.links, at)
        if count and link is not None:
            yield from self._behind(row, link, f"{there}.ptr", count, there)

    def _pointer(self, type_: Type, offset: int, place: str) -> Iterator[str]:
        if not any(self.data[offset : offset + type_.size]):
            yield f"{_EXPECT}({place} == null);"
            return
        if type_.nullable:
            yield f"{_EXPECT}({place} != null);"
        link = link_at(self.links, offset)
        if link is not None:
            there = f"{place}.?" if type_.nullable else place
            is_one = type_.extent == ExtentKind.ONE
            yield from self._behind(type_, link, there, 1 if is_one else 0, f"{there}.*")

    def _behind(self, pointer: Type, link: Link, address: str, count: int, contents: str) -> Iterator[str]:
        """Where a pointer leads, and what `count` elements there hold: of a slice, or of a pointer to one."""
        if link.to > 0:
            yield address_check(link.to, link.offset, address)
            return
        block, element = self.test.left.block(link.to), self._types[pointer.target]
        size = count * element.size
        if block is None or not size or self.depth == _DEEPEST or link.offset + size > len(block.data):
            return
        below = _Checks(self.program, self.test, block.data, block.links, block.unwritten, self.depth + 1)
        is_text = element.kind in SCALAR_KINDS and element.size == 1 and not element.is_ranged and count > 1
        if is_text and below._is_settled(link.offset, size) and element.kind != TypeKind.BOOL:
            text = _text(block.data[link.offset : link.offset + size])
            yield f"{_EXPECT}EqualStrings({text}, {contents});"
        elif contents.endswith(".*"):
            yield from below.of(element, link.offset, contents)
        else:
            for index in range(min(count, _MOST_ELEMENTS)):
                yield from below.of(element, link.offset + index * element.size, f"{contents}[{index}]")

    def _is_settled(self, offset: int, size: int) -> bool:
        """Whether these bytes are known, and no part of an address."""
        held = (range(link.at, link.at + POINTER_SIZE) for link in self.links)
        where = range(offset, offset + size)
        is_apart = all(each.stop <= where.start or where.stop <= each.start for each in held)
        return is_apart and not any(at in where for at in self.unwritten)

    def _number(self, type_: Type, offset: int) -> int:
        return int.from_bytes(self.data[offset : offset + type_.size], "little")


def address_check(number: int, offset: int, place: str) -> str:
    """A statement that a pointer leads to an object, or into it. Pointers of other types are equal to none."""
    there = f"@intFromPtr(&object_{number})" + (f" + {offset}" if offset else "")
    return f"{_EXPECT}Equal({there}, @intFromPtr({place}));"


def _text(data: bytes) -> str:
    """Bytes as a literal."""
    shown = (chr(each) if 32 <= each < 127 and chr(each) not in _ESCAPED else f"\\x{each:02x}" for each in data)
    return f'"{"".join(shown)}"'


def check(type_: Type, data: bytes, place: str) -> str:
    """A statement that compares a number."""
    bits = int.from_bytes(data, "little")
    if type_.kind == TypeKind.FLOAT:
        number = struct.unpack("<f" if type_.size == 4 else "<d", data)[0]
        if math.isnan(number):
            return f"{_EXPECT}(std.math.isNan({place}));"
        return f"{_EXPECT}Equal(@as(f{8 * type_.size}, {floating(bits, type_.size)}), {place});"
    return f"{_EXPECT}Equal({scalar(type_, bits)}, {place});"


def of_variables(program: Program, test: Test, module: str) -> Iterator[str]:
    """The checks of variables that the call changed."""
    links = dict(test.left.variables) if test.left.is_confirmed else {}
    for output in _variables(test):
        checks = _Checks(program, test, output.after, links.get(output.name, ()), output.unwritten)
        yield from checks.of(program.types[output.type], 0, variable(module, output.name))


def set_back(test: Test, module: str) -> Iterator[str]:
    """Statements by which variables are again what they were: all tests run in one process."""
    for number, output in enumerate(_variables(test), 1):
        place = variable(module, output.name)
        yield f"const kept_{number} = {place};"
        yield f"defer {place} = kept_{number};"


def variable(module: str, name: str) -> str:
    """A variable of the unit as a test names it."""
    return ".".join([module, *(name_of(part) for part in name.split("."))])


def _variables(test: Test) -> Sequence[Output]:
    return [output for output in test.outputs if output.number == 0]


def written_types(program: Program, tests: Sequence[Test]) -> frozenset[int]:
    """The types of input objects that the entry changes in one of these tests."""
    return frozenset(
        output.type
        for test in tests
        for output in test.outputs
        if any(
            is_changed(leaf, cell, output)
            for item in test.inputs.objects
            if item.number == output.number
            for leaf, cell in _leaves(program, item)
        )
    )


def of_objects(program: Program, test: Test, objects: Mapping[int, Object], written: frozenset[int]) -> Iterator[str]:
    """The checks of objects of types that the entry changes in some test (`written`): what it changed, and what the
    test has set."""
    for output in test.outputs:
        item = objects.get(output.number)
        if item is not None and output.type in written:
            yield from _of_object(program, output, item)


def _leaves(program: Program, item: MemoryObject) -> Iterator[tuple[Leaf, Cell | None]]:
    cells = {cell.offset: cell for cell in item.cells}
    for leaf in object_leaves(program.types, program.types[item.type], item.count, item.size):
        yield leaf, cells.get(leaf.offset)


def _of_object(program: Program, output: Output, item: Object) -> Iterator[str]:
    for leaf, cell in _leaves(program, item.item):
        is_last = item.is_array and leaf.offset >= item.count * item.type.size
        is_told = is_changed(leaf, cell, output) or is_known(cell)
        if not is_told or is_last or f".{IS_SOME}" in leaf.path or not is_settled(place_of(leaf), output):
            continue
        if f".{PAYLOAD}" in leaf.path and not _has_payload(program, item, leaf.offset, output.after):
            continue
        path = leaf.path if item.item.count > 1 or not item.is_array else f"[0]{leaf.path}"
        place = item.name + path.replace(f".{PAYLOAD}", ".?")
        if leaf.type.kind == TypeKind.POINTER:
            yield from _of_pointer(leaf, cell, output, place)
        elif leaf.type.kind in SCALAR_KINDS:
            yield check(leaf.type, part(output.after, leaf), place)


def _of_pointer(leaf: Leaf, cell: Cell | None, output: Output, place: str) -> Iterator[str]:
    number = dict(output.pointers).get(leaf.offset)
    if number:
        yield address_check(number, 0, place)
    elif leaf.type.nullable and (
        number is not None or is_changed(leaf, cell, output) or not any(part(output.after, leaf))
    ):
        is_null = not any(part(output.after, leaf))
        yield f"{_EXPECT}({place} {'==' if is_null else '!='} null);"


def _has_payload(program: Program, item: Object, offset: int, data: bytes) -> bool:
    """Whether every optional that this place lies in has a payload now."""
    flags = [
        leaf
        for leaf in leaves(program.types, item.type)
        if leaf.path.endswith(f".{IS_SOME}") and leaf.offset >= offset % item.type.size
    ]
    start = offset - offset % item.type.size
    return bool(flags) and bool(data[start + flags[0].offset])
