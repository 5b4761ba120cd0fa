"""What of a result is compared: the payload of an error, and of an optional that is null, holds nothing."""

from __future__ import annotations

from collections.abc import Sequence

from veer.frontends.zig.types import ERROR, IS_SOME, PAYLOAD
from veer.model.program import Program
from veer.model.types import Type, TypeKind


def settled(program: Program, result: bytes) -> bytes:
    """The bytes of a result of the entry, with zeros where there is no value."""
    entry = program.function(program.entry)
    if entry is None or entry.returns < 0:
        return result
    kept = bytearray(result)
    _settle(program.types, program.types[entry.returns], kept, 0)
    return bytes(kept)


def _settle(types: Sequence[Type], type_: Type, data: bytearray, offset: int) -> None:
    if type_.kind == TypeKind.ARRAY:
        element = types[type_.target]
        for index in range(type_.count):
            _settle(types, element, data, offset + index * element.size)
    if type_.kind != TypeKind.STRUCT:
        return
    fields = {field.name: field for field in type_.fields}
    if set(fields) <= {PAYLOAD, ERROR} or set(fields) == {PAYLOAD, IS_SOME}:
        flag = fields.get(ERROR) or fields[IS_SOME]
        size = types[flag.type].size
        number = int.from_bytes(data[offset + flag.offset : offset + flag.offset + size], "little")
        if PAYLOAD in fields and (number != 0) == (flag.name == ERROR):
            start = offset + fields[PAYLOAD].offset
            size = types[fields[PAYLOAD].type].size
            data[start : start + size] = bytes(size)
            return
    for field in type_.fields:
        _settle(types, types[field.type], data, offset + field.offset)
