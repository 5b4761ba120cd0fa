"""Inputs that a program asks for at any place (core/veer/Engine.java): the harness's functions that make them.

define void @veer_java_input_anInt(ptr %cell) {
  call void @veer_make(ptr %cell, ptr @veer.j.anInt, ptr @veer.n.anInt)
"""

from __future__ import annotations

from collections.abc import Iterator

from veer.frontends.java.lowering.cuts import ENGINE, INPUTS
from veer.frontends.java.lowering.replaced import INPUT
from veer.frontends.java.lowering.world import SIZES, World
from veer.model.buildoptions import BuildOptions
from veer.wire.layout import Bound

_UNSIGNED, _SIGNED, _BOOL, _FLOAT = 1, 2, 3, 5
_KINDS = {"Z": _BOOL, "C": _UNSIGNED, "F": _FLOAT, "D": _FLOAT}
_CHARACTER, _LENGTH = "aCharacter", "aLength"
INPUT_SIZE, INPUT_BYTE = "aSizeOfInput", "aByteOfInput"
"""How many bytes standard input has, and each of them."""
_MOST_BYTE = 127
_NO_TYPE = -1
"""The id of a type that the program's table does not have."""
_BOUNDS = {_LENGTH: int(Bound.LENGTH), INPUT_SIZE: int(Bound.INPUT)}


def asked(world: World) -> tuple[str, ...]:
    """The inputs that a world asks for, by the names of Engine's methods."""
    return tuple(name for name, letter in INPUTS.items() if (ENGINE, name, f"(){letter}") in world.methods)


def asked_inputs(world: World, options: BuildOptions) -> str:
    """Text for the harness's module."""
    head = "declare void @veer_come_to_bound(i32)\n"
    return head + "".join(line for name in asked(world) for line in _function(name, options))


def _function(name: str, options: BuildOptions) -> Iterator[str]:
    type_ = INPUTS[name]
    size = SIZES[type_]
    named = {_LENGTH: options.max_length, INPUT_SIZE: options.stdin_size}
    kind = _UNSIGNED if name in (_CHARACTER, INPUT_BYTE, *named) else _KINDS.get(type_, _SIGNED)
    most = named.get(name, _MOST_BYTE if name == INPUT_BYTE else int(type_ == "Z"))
    bound = _BOUNDS.get(name, 0)
    values = (
        *(f"i32 {_NO_TYPE}", f"i8 {kind}", "i8 0", "i8 0", "i8 0"),
        *(f"i32 {size}", f"i32 {int(most > 0)}", "i32 0", f"i32 {size}"),
        *("ptr null", "ptr null", "ptr null", "i64 0", f"i64 {most}", "ptr null", f"i32 {bound}", "i32 0"),
    )
    data = "".join(f"\\{byte:02X}" for byte in name.encode() + b"\0")
    yield f"@veer.j.{name} = private constant %veer.type {{ {', '.join(values)} }}\n"
    yield f'@veer.n.{name} = private constant [{len(name) + 1} x i8] c"{data}"\n'
    yield f"define void @{INPUT}{name}(ptr %cell) {{\n"
    yield f"  call void @veer_make(ptr %cell, ptr @veer.j.{name}, ptr @veer.n.{name})\n"
    if bound:
        yield f"  call void @veer_come_to_bound(i32 {bound})\n"
    yield "  ret void\n}\n"
