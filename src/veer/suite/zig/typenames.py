"""How a suite names the types of its objects: by themselves, or by the way from a parameter to them.

const Point = std.meta.Child(Argument(0));          *Point, a type that no other file may name
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from veer.model.program import Parameter, Program
from veer.model.types import Type, TypeKind
from veer.suite.zig.values import PAYLOAD, is_optional

_PLAIN = re.compile(r"(?:[iu]\d+|[iu]size|f32|f64|bool)")
_STEP = re.compile(r"\.(@\"[^\"]*\"|\w+)|\[(\d+)\]")
HELPER = """\
fn Argument(comptime place: usize) type {{
    return @typeInfo(@TypeOf({entry})).@"fn".param_types[place].?;
}}
"""


class TypeNames:
    """The names of types in one suite; what was asked for is declared at its head."""

    def __init__(self, program: Program) -> None:
        self._types = program.types
        self._ways: dict[int, str] = {}
        self.declared: dict[str, str] = {}
        self._of: dict[int, str] = {}
        entry = program.function(program.entry)
        parameters: Sequence[Parameter] = entry.parameters if entry is not None else ()
        places = {name: place for place, name in enumerate(dict.fromkeys(_first(each.name) for each in parameters))}
        for each in parameters:
            self._walk(each.type, _way(each.name, places))

    def name(self, type_: Type) -> str:
        """What a type is called in the suite."""
        if _PLAIN.fullmatch(type_.name):
            return type_.name
        if type_.id not in self._of:
            way = self._ways.get(type_.id)
            words = re.findall(r"[A-Za-z_]\w*", type_.name)
            stem = words[-1] if words and type_.kind == TypeKind.STRUCT else "Element"
            name, number = stem, 1
            while name in self.declared:
                number += 1
                name = f"{stem}{number}"
            self.declared[name] = way or type_.name
            self._of[type_.id] = name
        return self._of[type_.id]

    def _walk(self, identity: int, way: str) -> None:
        """Notes the ways to all types that this one leads to, of which `way` is the Zig expression."""
        waiting = [(identity, way)]
        while waiting:
            identity, way = waiting.pop(0)
            if identity < 0 or identity in self._ways:
                continue
            self._ways[identity] = way
            type_ = self._types[identity]
            if is_optional(type_):
                waiting += [(each.type, f"std.meta.Child({way})") for each in type_.fields if each.name == PAYLOAD]
            elif type_.kind == TypeKind.STRUCT:
                waiting += [(each.type, f'@FieldType({way}, "{each.name}")') for each in type_.fields]
            elif type_.kind == TypeKind.POINTER and type_.nullable:
                waiting.append((type_.target, f"std.meta.Child(std.meta.Child({way}))"))
            elif type_.kind in (TypeKind.POINTER, TypeKind.ARRAY):
                waiting.append((type_.target, f"std.meta.Child({way})"))


def _way(name: str, places: dict[str, int]) -> str:
    """The type of a part as an expression: that of `p.items.ptr` is the type of the slice."""
    first = _first(name)
    way = f"Argument({places[first]})"
    steps = [(matched[1], matched[2]) for matched in _STEP.finditer(name[len(first) :])]
    for member, index in steps:
        if member in ("ptr", "len") and (member, index) == steps[-1]:
            break
        way = f"std.meta.Child({way})" if index else f'@FieldType({way}, "{member}")'
    return way


def _first(name: str) -> str:
    return re.split(r"[.\[]", name, maxsplit=1)[0]
