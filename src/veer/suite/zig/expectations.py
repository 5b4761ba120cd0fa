"""What a test expects: of its result, and of the objects that the call changed."""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator

from veer.model.literal import leaves, object_leaves
from veer.model.program import Program
from veer.model.result import Output, Test
from veer.model.types import SCALAR_KINDS, Type, TypeKind
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


def of_result(program: Program, test: Test, call: str) -> Iterator[str]:
    """The statements that make the call and look at what it returns."""
    entry = program.function(program.entry)
    returns = entry.returns if entry is not None else -1
    if returns < 0 or test.returned is None:
        yield f"_ = {call};"
        return
    type_ = program.types[returns]
    found = list(_Checks(program, test).of(type_, 0, "result"))
    if is_error_union(type_) and not _error(program, type_, test.returned):
        yield f"const result = try {call};"
    else:
        yield f"const result = {call};"
    yield from found or ["_ = result;"]


def _error(program: Program, type_: Type, data: bytes) -> int:
    place = next(each for each in type_.fields if each.name == ERROR)
    return int.from_bytes(data[place.offset : place.offset + program.types[place.type].size], "little")


class _Checks:
    """Statements that compare a recorded result with the one that is there."""

    def __init__(self, program: Program, test: Test) -> None:
        self._types = program.types
        self._data = test.returned or b""
        self._object = test.returned_object

    def of(self, type_: Type, offset: int, place: str) -> Iterator[str]:
        """The checks of the value of this type at an offset of the result, which Zig calls `place`."""
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
            length = next(each for each in type_.fields if each.name == LENGTH)
            pointer = next(each for each in type_.fields if each.name == POINTER)
            count = self._number(self._types[length.type], offset + length.offset)
            if not self._types[pointer.type].nullable:
                yield f"{_EXPECT}Equal({count}, {place}.len);"
            elif self._number(self._types[pointer.type], offset + pointer.offset):
                yield f"{_EXPECT}Equal({count}, {place}.?.len);"
            else:
                yield f"{_EXPECT}({place} == null);"
        elif type_.kind == TypeKind.STRUCT:
            for each in type_.fields:
                yield from self.of(self._types[each.type], offset + each.offset, f"{place}.{name_of(each.name)}")
        elif type_.kind == TypeKind.ARRAY:
            element = self._types[type_.target]
            for index in range(type_.count):
                yield from self.of(element, offset + index * element.size, f"{place}[{index}]")
        elif type_.kind == TypeKind.POINTER:
            yield from self._pointer(type_, offset, place)
        elif type_.kind in SCALAR_KINDS:
            yield check(type_, self._data[offset : offset + type_.size], place)

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
            yield from self.of(self._types[fields[PAYLOAD].type], offset + fields[PAYLOAD].offset, place)

    def _pointer(self, type_: Type, offset: int, place: str) -> Iterator[str]:
        is_null = not any(self._data[offset : offset + type_.size])
        if is_null:
            yield f"{_EXPECT}({place} == null);"
        elif self._object and len(self._data) == type_.size:
            yield f"{_EXPECT}({place} == &object_{self._object});"
        elif type_.nullable:
            yield f"{_EXPECT}({place} != null);"

    def _number(self, type_: Type, offset: int) -> int:
        return int.from_bytes(self._data[offset : offset + type_.size], "little")


def check(type_: Type, data: bytes, place: str) -> str:
    """A statement that compares a number."""
    bits = int.from_bytes(data, "little")
    if type_.kind == TypeKind.FLOAT:
        number = struct.unpack("<f" if type_.size == 4 else "<d", data)[0]
        if math.isnan(number):
            return f"{_EXPECT}(std.math.isNan({place}));"
        return f"{_EXPECT}Equal(@as(f{8 * type_.size}, {floating(bits, type_.size)}), {place});"
    return f"{_EXPECT}Equal({scalar(type_, bits)}, {place});"


def of_objects(program: Program, test: Test, objects: dict[int, Object]) -> Iterator[str]:
    """The checks of numbers in objects that the call changed."""
    for output in test.outputs:
        item = objects.get(output.number)
        if item is not None:
            yield from _of_object(program, output, item)


def _of_object(program: Program, output: Output, item: Object) -> Iterator[str]:
    count = item.item.count
    for leaf in object_leaves(program.types, item.type, count, item.item.size):
        before, after = (data[leaf.offset : leaf.offset + leaf.type.size] for data in (output.before, output.after))
        is_last = item.is_array and leaf.offset >= item.count * item.type.size
        if before == after or is_last or leaf.type.kind not in SCALAR_KINDS or f".{IS_SOME}" in leaf.path:
            continue
        if f".{PAYLOAD}" in leaf.path and not _has_payload(program, item, leaf.offset, output.after):
            continue
        path = leaf.path if count > 1 or not item.is_array else f"[0]{leaf.path}"
        yield check(leaf.type, after, item.name + path.replace(f".{PAYLOAD}", ".?"))


def _has_payload(program: Program, item: Object, offset: int, data: bytes) -> bool:
    """Whether every optional that this place lies in has a payload now."""
    flags = [
        leaf
        for leaf in leaves(program.types, item.type)
        if leaf.path.endswith(f".{IS_SOME}") and leaf.offset >= offset % item.type.size
    ]
    start = offset - offset % item.type.size
    return bool(flags) and bool(data[start + flags[0].offset])
