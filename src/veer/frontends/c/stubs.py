"""Stubs: functions that are defined nowhere return a fresh input at each call (DART's interface extraction).

    unsigned int veer_stub_0() __asm__("read_sensor");
    unsigned int veer_stub_0() { unsigned int r = 0; veer_h_bytes(&r, 4, "read_sensor()", 4); return r; }

The root of its input is called `read_sensor()`; its occurrences are its calls, in order. A pointer is NULL or a block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from veer.frontends.c.harness import PRELUDE, type_tables
from veer.model.program import Type

_INTEGER = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i64": 8}
_C_TYPES = {
    "i1": "unsigned char",
    "i8": "unsigned char",
    "i16": "unsigned short",
    "i32": "unsigned int",
    "i64": "unsigned long",
    "float": "float",
    "double": "double",
}
_ELEMENTS = {"float": 4, "double": 8, **_INTEGER}
UNKNOWN_SIZE = 4096
"""Bytes of a variable that is defined nowhere and whose size the declaration does not tell."""


@dataclass(frozen=True, slots=True)
class Stubs:
    """The C text of the stubs, the functions that have one, and notes on what is not modelled."""

    text: str
    functions: tuple[str, ...]
    notes: tuple[str, ...]


def stubs(
    functions: Mapping[str, tuple[str, str]], data: Mapping[str, str], types: Sequence[Type], pointer: int
) -> Stubs:
    """Stubs for undefined functions (IR return type, parameters) and variables (IR type).

    `pointer` is the id in `types` of a pointer to a block of bytes.
    """
    lines = [PRELUDE]
    notes: list[str] = []
    if any(result == "ptr" for result, _ in functions.values()):
        lines += type_tables(types, [pointer])
    for index, (name, (result, parameters)) in enumerate(sorted(functions.items())):
        body = _function(f"veer_stub_{index}", name, result, pointer)
        if body is None:
            body = [f'void veer_stub_{index}() __asm__("{name}");', f"void veer_stub_{index}() {{}}"]
            notes.append(
                f"{name} is defined nowhere, and its result ({result}) is left as zeros: define it, or link its library"
            )
        elif result == "void" and "sret(" in parameters:
            notes.append(
                f"{name} is defined nowhere, and the struct that it returns is left as it was: define it, or --link it"
            )
        lines += body
    for index, (name, shape) in enumerate(sorted(data.items())):
        size = _size(shape)
        lines.append(f'char veer_data_{index}[{size}] __asm__("{name}") __attribute__((aligned(16)));')
        notes.append(f"the variable {name} is defined nowhere: it is all zeros")
    return Stubs("\n".join(lines) + "\n", tuple(sorted(functions)), tuple(notes))


def _function(stub: str, name: str, result: str, pointer: int) -> list[str] | None:
    root = f"{name}()"
    if result == "void":
        return [f'void {stub}() __asm__("{name}");', f"void {stub}() {{}}"]
    if result == "ptr":
        making = f'void *r = 0; veer_h_make(&r, &veer_t_{pointer}, "{root}"); return r;'
        return [f'void *{stub}() __asm__("{name}");', f"void *{stub}() {{ {making} }}"]
    if result in _C_TYPES:
        c_type, size = _C_TYPES[result], _ELEMENTS[result]
        value = "r & 1" if result == "i1" else "r"
        making = f'{c_type} r = 0; veer_h_bytes(&r, {size}, "{root}", {size}); return {value};'
        return [f'{c_type} {stub}() __asm__("{name}");', f"{c_type} {stub}() {{ {making} }}"]
    parts = _aggregate(result)
    if parts is None:
        return None
    # A small struct comes back in registers as the IR type says: the same fields give the same registers.
    fields = " ".join(f"{'void *' if part == 'ptr' else _C_TYPES[part]} f{index};" for index, part in enumerate(parts))
    c_type = f"struct {stub}_result"
    making = f'{c_type} r = {{0}}; veer_h_bytes(&r, sizeof r, "{root}", 1); return r;'
    return [f"{c_type} {{ {fields} }};", f'{c_type} {stub}() __asm__("{name}");', f"{c_type} {stub}() {{ {making} }}"]


def _aggregate(result: str) -> list[str] | None:
    """Parts of `{ i64, i32 }` or `<2 x float>`; None for anything else."""
    if matched := re.fullmatch(r"<2 x float>", result):
        return ["float", "float"]
    if matched := re.fullmatch(r"\{ ([^{}\[\]<>]+) \}", result):
        parts = matched[1].split(", ")
        return parts if all(part in _C_TYPES for part in parts) else None
    return None


def _size(shape: str) -> int:
    if shape in _ELEMENTS:
        return _ELEMENTS[shape]
    if shape == "ptr":
        return 8
    if matched := re.fullmatch(r"\[(\d+) x (\w+)\]", shape):
        count, element = int(matched[1]), matched[2]
        size = 8 if element == "ptr" else _ELEMENTS.get(element, 0)
        if count and size:
            return count * size
    return UNKNOWN_SIZE
